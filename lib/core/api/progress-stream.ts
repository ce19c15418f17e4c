import type { Progress } from "../schema/mcp.ts";
import { textStream } from "./text-stream.ts";

/** Media type of a response with progress: JSON Lines. */
export const PROGRESS_TYPE = "application/x-ndjson";

interface ProgressWork {
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** Does the work, and returns the response body as one line. */
  work(signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<string>;
  /** The response body for an error, as one line. Called only if progress was sent before the error. */
  failure(error: unknown): string;
}

/**
 * Does work that may report progress. Work that ends before its first report is answered as usual, with its status;
 * otherwise the response is JSON Lines: `{"progress":{…}}` for each report that the reader has time for, and the usual
 * body as the last line.
 *
 * @throws the error of work that fails before its first report
 */
export async function progressStream({ signal, work, failure }: ProgressWork): Promise<Response> {
  const gone = new AbortController();
  let latest: Progress | undefined;
  let wake = () => {};
  let report = () => {};
  const reported = new Promise<void>((done) => {
    report = done;
  });
  const done = work(AbortSignal.any([signal, gone.signal]), (progress) => {
    // Only the latest report waits for a slow reader.
    latest = progress;
    report();
    wake();
  });
  const body = await Promise.race([done, reported]);
  if (body !== undefined) return new Response(body, { headers: { "content-type": "application/json" } });
  let last: string | undefined;
  let isOver = false;
  // Errors become the last line, so this promise never rejects.
  void done.catch(failure).then((line) => {
    last = line;
    wake();
  });
  const next = async (): Promise<string | undefined> => {
    while (latest === undefined && last === undefined)
      await new Promise<void>((changed) => {
        wake = changed;
      });
    if (latest !== undefined) {
      const line = `{"progress":${JSON.stringify(latest)}}\n`;
      latest = undefined;
      return line;
    }
    if (isOver) return undefined;
    isOver = true;
    return `${last}\n`;
  };
  const stream = textStream({ next, close: () => gone.abort() }, () => {});
  return new Response(stream, { headers: { "content-type": PROGRESS_TYPE, "cache-control": "no-store" } });
}
