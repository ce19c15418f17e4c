import { request } from "undici";

const ANSWER_LIMIT_MS = 10_000;

/** The event stream of an MCP server that speaks the HTTP+SSE transport of 2024-11-05. */
export interface EventStream {
  /** Path and query to which messages are posted. */
  path: string;
  /** Resolves with the response to the request of this id, as text; rejects if the stream ends before. */
  answer(id: number): Promise<string>;
  close(): void;
}

interface WaitingAnswer {
  done(text: string): void;
  fail(error: Error): void;
  readonly late: NodeJS.Timeout;
}

/**
 * Opens the stream and waits for its first event, which names the path.
 *
 * @throws Error if the server has no stream, or ends it
 */
export async function openEventStream(url: string): Promise<EventStream> {
  const end = new AbortController();
  const { statusCode, body } = await request(url, {
    headers: { accept: "text/event-stream" },
    headersTimeout: 0,
    bodyTimeout: 0,
    signal: end.signal,
  });
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`HTTP ${statusCode} from ${url}`);
  }
  const waiting = new Map<number, WaitingAnswer>();
  const path = new Promise<string>((found, fail) => {
    let rest = "";
    body.on("data", (chunk: Buffer) => {
      rest += chunk.toString();
      const events = rest.split(/\r?\n\r?\n/);
      rest = events.pop()!;
      for (const event of events) {
        const data = /^data: ?(.*)$/m.exec(event)?.[1] ?? "";
        if (/^event: ?endpoint/m.test(event)) found(data);
        else if (data) settle(data);
      }
    });
    body.on("error", () => undefined);
    body.on("close", () => {
      const ended = new Error(`the event stream of ${url} ended`);
      fail(ended);
      for (const { fail: failAnswer, late } of waiting.values()) {
        clearTimeout(late);
        failAnswer(ended);
      }
    });
  });
  const settle = (text: string) => {
    const { id } = JSON.parse(text) as { id?: number };
    if (id === undefined) return;
    const one = waiting.get(id);
    waiting.delete(id);
    clearTimeout(one?.late);
    one?.done(text);
  };
  const named = new URL(await path, url);
  return {
    path: named.pathname + named.search,
    answer: (id) =>
      new Promise((done, fail) => {
        const late = setTimeout(() => fail(new Error(`${url} did not answer`)), ANSWER_LIMIT_MS);
        waiting.set(id, { done, fail, late });
      }),
    close: () => end.abort(),
  };
}
