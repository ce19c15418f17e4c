import { request } from "undici";

/** The event stream of an MCP server that speaks the HTTP+SSE transport of 2024-11-05. */
export interface EventStream {
  /** Path and query to which messages are posted. */
  path: string;
  /** Resolves with the response to the request of this id, as text. */
  answer(id: number): Promise<string>;
  close(): void;
}

/** Opens the stream and waits for its first event, which names the path. */
export async function openEventStream(url: string): Promise<EventStream> {
  const end = new AbortController();
  const { body } = await request(url, {
    headers: { accept: "text/event-stream" },
    headersTimeout: 0,
    bodyTimeout: 0,
    signal: end.signal,
  });
  const waiting = new Map<number, (text: string) => void>();
  const path = new Promise<string>((found) => {
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
  });
  const settle = (text: string) => {
    const { id } = JSON.parse(text) as { id?: number };
    if (id === undefined) return;
    waiting.get(id)?.(text);
    waiting.delete(id);
  };
  const named = new URL(await path, url);
  return {
    path: named.pathname + named.search,
    answer: (id) => new Promise((done) => waiting.set(id, done)),
    close: () => end.abort(),
  };
}
