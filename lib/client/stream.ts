import { type Loose, requestLine, restFailure } from "./client.ts";
import { openRequest, type ProxyTarget, unreachable } from "./open-request.ts";

interface StreamOptions {
  signal: AbortSignal;
  headers?: Readonly<Record<string, string>>;
}

/** Requests a long or endless response and returns it in pieces, at the reader's pace. */
export type Stream = (
  route: string,
  args: Pick<Loose, "query" | "body">,
  options: StreamOptions,
) => AsyncIterable<Buffer>;

/** Longest error response that is read (characters). */
const MAX_REFUSAL = 65_536;

/**
 * Creates a function that streams responses of one proxy. It throws RestError for an error response, and Fault
 * daemon_not_running or daemon_unreachable, also if the response is incomplete.
 *
 * @param agent the user agent
 */
export function stream(to: ProxyTarget, agent: string): Stream {
  return async function* (route, args, { signal, headers }) {
    const body = args.body === undefined ? undefined : JSON.stringify(args.body);
    const request = {
      ...requestLine(route, args),
      headers: {
        "user-agent": agent,
        ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
        ...headers,
      },
      body,
      signal,
    };
    const response = await openRequest(to, request);
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
