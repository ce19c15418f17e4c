import { Client as NewerClient, StreamableHTTPClientTransport as NewerTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { type Served, textOf } from "./mcp.ts";

const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** A client's answers by kind of question; the questions are added to `seen`. */
const answersOf = (name: string, action: string) => ({
  "elicitation/create": action === "accept" ? { action, content: { name } } : { action },
  "sampling/createMessage": { role: "assistant", content: { type: "text", text: "4" }, model: "m" },
  "roots/list": { roots: [{ uri: "file:///work" }] },
});

export interface AskedClientOptions {
  path?: string;
  headers?: Record<string, string>;
  /** The name in its answers. */
  name?: string;
  /** What the person chooses. */
  action?: "accept" | "decline" | "cancel";
}

interface Asked {
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of all kinds of questions
  params?: any;
}

/** A client that answers questions. */
interface Caller {
  seen: Asked[];
  call(name: string, args: object): Promise<object>;
  /** Returns what the server's tool, prompt or resource made of the client's answer. */
  ask(thing: Thing, server: string, kind: string): Promise<unknown>;
  /** Called before a question is answered. */
  onAsked(act: (id: string | number) => Promise<void>): void;
  close(): Promise<void>;
}

/** A client of the first generation, with access to its session. */
interface OlderCaller extends Caller {
  /** Calls this with the ID of each URL question that a server reports as completed. */
  onCompleted(act: (elicitationId: string) => void): void;
  /** The headers that identify its session. */
  headers(): Record<string, string>;
}

type Thing = "tool" | "prompt" | "resource";

/** Calls tools, prompts and resources by the methods that both official clients have. */
function asking(client: Pick<Client | NewerClient, "callTool" | "getPrompt" | "readResource">): Caller["ask"] {
  const things = {
    tool: async (server: string, kind: string) =>
      textOf(await client.callTool({ name: `${server}__ask`, arguments: { kind } })),
    prompt: async (server: string, kind: string) => {
      const { messages } = await client.getPrompt({ name: `${server}__ask`, arguments: { kind } });
      return (messages[0]!.content as { text: string }).text;
    },
    resource: async (server: string, kind: string) => {
      const { contents } = await client.readResource({ uri: `via://${server}/ask://${kind}` });
      return (contents[0] as { text: string }).text;
    },
  };
  return async (thing, server, kind) => JSON.parse(await things[thing](server, kind));
}

/** The official client of the first generation, which speaks 2025-11-25. */
export async function older(
  { url }: Pick<Served, "url">,
  { path = "/mcp/all", headers = {}, name = "Amy", action = "accept" }: AskedClientOptions = {},
): Promise<OlderCaller> {
  const answers = answersOf(name, action);
  const client = new Client({ name: "older", version: "1" }, { capabilities: CAPABILITIES });
  const seen: Asked[] = [];
  let before = async (_id: string | number) => {};
  const take = async (request: Asked, id: string | number) => {
    seen.push(request);
    await before(id);
    const { params, method } = request;
    const said = answers[method as keyof typeof answers];
    return params?.mode === "url" ? { action: "accept" } : said;
  };
  for (const schema of [ElicitRequestSchema, CreateMessageRequestSchema, ListRootsRequestSchema])
    client.setRequestHandler(
      schema as typeof ElicitRequestSchema,
      (request, { requestId }) => take(request, requestId) as never,
    );
  const transport = new StreamableHTTPClientTransport(new URL(url + path), { requestInit: { headers } });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return {
    seen,
    call: (name, args) => client.callTool({ name, arguments: { ...args } }),
    ask: asking(client),
    close: () => client.close(),
    onCompleted: (act) =>
      client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => act(params.elicitationId)),
    onAsked: (act) => {
      before = act;
    },
    headers: () => ({ "mcp-session-id": transport.sessionId ?? "", "mcp-protocol-version": "2025-11-25" }),
  };
}

/** The official client of the second generation, which speaks 2026-07-28. */
export function newer(
  { url }: Pick<Served, "url">,
  { path = "/mcp/all", headers = {}, ...options }: AskedClientOptions = {},
): Promise<Caller> {
  return newerOver(new NewerTransport(new URL(url + path), { requestInit: { headers } }), options);
}

/** The same over any transport. */
export async function newerOver(
  transport: Parameters<NewerClient["connect"]>[0],
  { name = "Amy", action = "accept" }: Pick<AskedClientOptions, "name" | "action"> = {},
): Promise<Caller & { client: NewerClient }> {
  const options = { capabilities: CAPABILITIES, versionNegotiation: { mode: { pin: "2026-07-28" } } };
  const client = new NewerClient({ name: "newer", version: "2" }, options as never);
  const seen: Asked[] = [];
  let before = async (_id: string | number) => {};
  for (const [method, said] of Object.entries(answersOf(name, action)))
    client.setRequestHandler(
      method as never,
      (async (request: Asked, { mcpReq }: { mcpReq: { id: string | number } }) => {
        seen.push(request);
        await before(mcpReq.id);
        return request.params?.mode === "url" ? { action: "accept" } : said;
      }) as never,
    );
  await client.connect(transport);
  return {
    client,
    seen,
    call: (name, args) => client.callTool({ name, arguments: { ...args } }),
    ask: asking(client),
    onAsked: (act) => {
      before = act;
    },
    close: () => client.close(),
  };
}

/** Both clients, by the year of their protocol version. */
export const CLIENTS = { "2025": older, "2026": newer };
