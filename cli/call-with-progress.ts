import type { Api } from "#handlers/routes.gen.ts";
import { type DataOf, parse, restFailure } from "#lib/client/client.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { isJsonObject, type JsonObject } from "#lib/core/base/json-object.ts";
import type { Cli } from "./cli.ts";
import { spinner } from "./spinner.ts";

const ROUTE = "POST /api/v1/tools/call";
/** Largest response (characters). */
const MAX_CHARACTERS = 256 * 1024 * 1024;

/**
 * Calls a tool, and at a terminal shows its progress until the result is there. Ctrl-C cancels the call on the server,
 * too.
 *
 * @throws RestError, Fault client_timeout, client_answer_too_large
 */
export async function callWithProgress(
  cli: Cli,
  tool: string,
  toolArguments: JsonObject,
  timeoutMs: number,
): Promise<DataOf<Api[typeof ROUTE]>> {
  const body = { tool_name: tool, arguments: toolArguments };
  const progress = spinner(cli.stderr);
  if (!progress.seen) return cli.call(ROUTE, { body }, { timeoutMs });
  progress.say(`calling ${tool}; Ctrl-C cancels`);
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([cli.signal, deadline]);
  const pieces = cli.stream(ROUTE, { body }, { signal, headers: { accept: "application/x-ndjson" } });
  try {
    const text = await lastLine(pieces, (report) => progress.say(`${progressText(report)}; Ctrl-C cancels`));
    const answer = parse(text);
    if (answer?.success !== true) throw restFailure({ status: 0, text }, ROUTE);
    return answer.data as DataOf<Api[typeof ROUTE]>;
  } catch (error) {
    if (deadline.aborted && !cli.signal.aborted) throw new Fault("client_timeout", { route: ROUTE, ms: timeoutMs });
    throw error;
  } finally {
    progress.stop();
  }
}

/** Reads JSON Lines with progress up to the last line, which is the response. */
async function lastLine(pieces: AsyncIterable<Buffer>, onProgress: (report: JsonObject) => void): Promise<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let size = 0;
  let last = "";
  const take = (line: string) => {
    const report = line.length < 65_536 ? parse(line)?.progress : undefined;
    if (isJsonObject(report)) onProgress(report);
    else if (line !== "") last = line;
  };
  for await (const piece of pieces) {
    size += piece.length;
    if (size > MAX_CHARACTERS) throw new Fault("client_answer_too_large", { limit: MAX_CHARACTERS });
    const lines = decoder.decode(piece, { stream: true }).split("\n");
    for (const [i, line] of lines.entries()) {
      parts.push(line);
      if (i === lines.length - 1) break;
      take(parts.join(""));
      parts = [];
    }
  }
  take(parts.join(""));
  return last;
}

/** `message (3 of 10)`, as far as the tool reports it. */
function progressText({ progress, total, message }: JsonObject): string {
  const count = typeof total === "number" ? `${progress} of ${total}` : `${progress}`;
  return typeof message === "string" && message !== "" ? `${message} (${count})` : count;
}
