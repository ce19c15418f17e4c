import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "#lib/core/base/clock.ts";
import { isJsonObject } from "#lib/core/base/json-object.ts";
import { tailLines } from "#lib/core/log/tail.ts";
import type { Cli } from "./cli.ts";
import { UsageError } from "./exit.ts";
import { jsonText } from "./output.ts";
import { requireLines } from "./server-log.ts";
import { untilStopped } from "./watch.ts";

/** Interval at which a followed log is read (ms). */
const POLL_MS = 500;
/** Maximum number of bytes that one poll reads; the rest follows at the next one. */
const MAX_POLL_BYTES = 1024 * 1024;
const LEVELS = ["trace", "debug", "info", "warn", "error"];

interface OwnLogFlags {
  tail: number;
  level: string | undefined;
  follow: boolean;
}

/**
 * Shows the proxy's own log from its file, which also works while no proxy runs, and with `follow` the lines that are
 * added until Ctrl-C.
 *
 * @throws UsageError if a remote proxy was selected, or there is no log yet
 */
export async function ownLog(cli: Cli, { tail, level, follow }: OwnLogFlags): Promise<number | undefined> {
  if (cli.globals.url || cli.env.SERVICE_URL)
    throw new UsageError("the log of a remote proxy cannot be read from here; name one of its servers to see its log");
  requireLines(tail, follow);
  const path = await ownLogPath(cli);
  const start = await stat(path).catch(() => undefined);
  if (!start && !follow) throw new UsageError(`there is no log yet at ${path}; start the proxy with: proxy up`);
  const isWanted = isAtLeast(level);
  const print = async (wanted: string[]) => {
    if (follow && cli.globals.output === "json") cli.stdout.write(wanted.map((line) => `${jsonText(line)}\n`).join(""));
    else if (!follow || wanted.length > 0) await cli.show(wanted, () => wanted.join("\n") || "no log lines");
  };
  // Read before the position is taken: a line that is added meanwhile appears twice rather than never.
  if (tail > 0)
    await print(
      (await tailLines([path, `${path}.1`], level === undefined ? tail : tail * 20)).filter(isWanted).slice(-tail),
    );
  if (!follow) return;
  const reader = logReader(path, start?.size ?? 0);
  return untilStopped(cli, async () => {
    for (;;) {
      await systemClock.sleep(POLL_MS, cli.signal);
      await print((await reader()).filter(isWanted));
    }
  });
}

/** The path of the proxy's own log, by the configuration file. */
async function ownLogPath({ globals, env }: Pick<Cli, "globals" | "env">): Promise<string> {
  const { offlineConfig } = await import("#lib/read-config.ts");
  const { dataDir, text } = await offlineConfig({ path: globals.config, dataDir: globals.dataDir, env });
  return join(env.SERVICE_LOG_DIR || logFolderIn(text) || join(dataDir, "logs"), "proxy.log");
}

function logFolderIn(text: string | undefined): string | undefined {
  try {
    const document: unknown = JSON.parse((text ?? "{}").replace("\uFEFF", ""));
    const logging = isJsonObject(document) ? document.logging : undefined;
    const folder = isJsonObject(logging) ? logging.log_dir : undefined;
    return typeof folder === "string" ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the complete lines added since the last call; a file that was rotated is read from its start. */
function logReader(path: string, from: number): () => Promise<string[]> {
  let position = from;
  let rest = "";
  return async () => {
    const file = await open(path, "r").catch(() => undefined);
    if (!file) return [];
    try {
      const { size } = await file.stat();
      if (size < position) [position, rest] = [0, ""];
      const buffer = Buffer.alloc(Math.min(size - position, MAX_POLL_BYTES));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      position += bytesRead;
      const lines = (rest + buffer.toString("utf8", 0, bytesRead)).split("\n");
      rest = lines.pop() ?? "";
      return lines.filter(Boolean);
    } finally {
      await file.close();
    }
  };
}

/** The level of a line in the format `text` or `json`. */
const LEVEL = /^(?:\{"time":"[^"]*","level":"(\w+)"|\S+ ([A-Z]+) )/;

/**
 * Returns a function that is true for the lines from a level on. Lines without a level, such as those of a stack, belong to
 * the entry before them.
 */
function isAtLeast(level: string | undefined): (line: string) => boolean {
  let isEntryShown = true;
  return (line) => {
    const [, inJson, inText] = LEVEL.exec(line) ?? [];
    const found = (inJson ?? inText)?.toLowerCase();
    if (found !== undefined) isEntryShown = level === undefined || LEVELS.indexOf(found) >= LEVELS.indexOf(level);
    return isEntryShown;
  };
}
