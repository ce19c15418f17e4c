import type { Posted, PostOptions, Served } from "./mcp.ts";

/** The `_meta` of a request of protocol version 2026-07-28. */
export const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

type Params = { _meta?: object; name?: unknown; [member: string]: unknown };

/** Builds a message of protocol version 2026-07-28 with its headers; tests may change both before sending. */
export function newer(method: string, params: Params = {}, id: string | number | undefined = 7) {
  const message = { jsonrpc: "2.0", id, method, params: { ...params, _meta: { ...ENVELOPE, ...params._meta } } };
  const headers: Record<string, string | undefined> = { "mcp-protocol-version": "2026-07-28", "mcp-method": method };
  if (typeof params.name === "string") headers["mcp-name"] = params.name;
  return { message, headers };
}

/** Sends one request of protocol version 2026-07-28. */
export function ask(
  { post }: Pick<Served, "post">,
  method: string,
  params: Params = {},
  { headers = {}, ...options }: PostOptions = {},
): Promise<Posted> {
  const sent = newer(method, params);
  return post(sent.message, { path: "/mcp/all", ...options, headers: { ...sent.headers, ...headers } });
}

/** The client capabilities of a request, for its `_meta`. */
export function able(capabilities: object): Params {
  return { _meta: { "io.modelcontextprotocol/clientCapabilities": capabilities } };
}

/** An open `subscriptions/listen` with its messages in order. */
export interface Listening {
  readonly response: Response;
  /** The next message; undefined at the end. */
  next(): Promise<Message | undefined>;
  /** Closes the stream. */
  close(): void;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read members of all kinds of messages
type Message = any;

export async function listen(
  { url }: Pick<Served, "url">,
  notifications: object,
  {
    path = "/mcp/all",
    headers = {},
    id = "sub",
    capabilities = {},
  }: { path?: string; headers?: Record<string, string>; id?: string; capabilities?: object } = {},
): Promise<Listening> {
  const sent = newer("subscriptions/listen", { notifications, ...able(capabilities) }, id);
  const control = new AbortController();
  const response = await fetch(url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(sent.headers as Record<string, string>),
      ...headers,
    },
    body: JSON.stringify(sent.message),
    signal: control.signal,
  });
  const messages = frames(response);
  return {
    response,
    next: () =>
      new Promise((done, fail) => {
        const late = setTimeout(() => fail(new Error("waited in vain for a message")), 30_000);
        messages
          .next()
          .then(({ value }) => done(value), fail)
          .finally(() => clearTimeout(late));
      }),
    close: () => control.abort(),
  };
}

async function* frames(response: Response): AsyncGenerator<Message, undefined> {
  let rest = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data);
    }
  }
  return undefined;
}
