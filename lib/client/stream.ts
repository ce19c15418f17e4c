import { type Loose, requestLine, restFailure } from "./client.ts";
import { openRequest, type ProxyTarget, unreachable } from "./open-request.ts";

interface StreamOptions {
  signal: AbortSignal;
  headers?: Readonly<Record<string, string>>;
}

/** Asks a route whose answer is long or has no end, and gives it piece by piece, at the reader's pace. */
export type Stream = (route: string, args: Pick<Loose, "query">, options: StreamOptions) => AsyncIterable<Buffer>;

/** Longest refusal that is read. (characters) */
const MAX_REFUSAL = 65_536;

/**
 * Streams from one proxy. It throws RestError when the proxy refuses, and Fault daemon_not_running or
 * daemon_unreachable, also when the answer breaks off.
 *
 * @param agent how this client names itself
 */
export function stream(to: ProxyTarget, agent: string): Stream {
  return async function* (route, args, { signal, headers }) {
    const asked = { ...requestLine(route, args), headers: { "user-agent": agent, ...headers }, signal };
    const response = await openRequest(to, asked);
    const status = response.statusCode ?? 0;
    try {
      if (status !== 200) {
        let text = "";
        for await (const piece of response) if (text.length < MAX_REFUSAL) text += piece;
        throw restFailure({ status, text }, route);
      }
      for await (const piece of response as AsyncIterable<Buffer>) yield piece;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw (error as NodeJS.ErrnoException).code === "ECONNRESET" ? unreachable(to, error) : error;
    } finally {
      response.destroy();
    }
  };
}
