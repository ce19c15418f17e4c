import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { listenTest, type TestApp, type TestOptions, testApp } from "./app.ts";
import { until } from "./until.ts";

/** Configures one of the test programs as a server that is really started; its tools are trusted. */
export function program(name: string, ...flags: string[]) {
  const args = ["test/programs/upstream-stdio.mjs", "--name", name, ...flags];
  return { name, command: process.execPath, args, trust_mode: "auto" as const };
}

export interface Served {
  app: TestApp;
  url: string;
  key: string;
  /** Creates an official SDK client for one endpoint, which is closed after the test. */
  client(path?: string, headers?: Record<string, string>): Promise<Client>;
  /** Sends one raw message with POST. */
  post(message: unknown, options?: PostOptions): Promise<Posted>;
}

export interface PostOptions {
  path?: string;
  headers?: Record<string, string | undefined>;
  signal?: AbortSignal;
}

export interface Posted {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  body: any;
}

/** Starts a proxy on a free port for one test; if servers are given, waits until they are connected. */
export async function serve(t: TestContext, options: TestOptions = {}): Promise<Served> {
  const app = await testApp({ connect: false, ...options });
  const { url, key, close } = await listenTest(app);
  const clients: Client[] = [];
  t.after(async () => {
    for (const client of clients) await client.close();
    await close();
    await app.close();
  });
  if (options.connect)
    for (const { name, enabled } of app.config.current().mcpServers) if (enabled) await ready(app, name);
  return {
    app,
    url,
    key,
    async client(path = "/mcp/call", headers = {}) {
      const client = new Client({ name: "test-client", version: "1.2.3" });
      clients.push(client);
      // The cast bridges a difference about `undefined` between the SDK's type and its interface.
      const transport = new StreamableHTTPClientTransport(new URL(url + path), { requestInit: { headers } });
      await client.connect(transport as Parameters<Client["connect"]>[0]);
      return client;
    },
    async post(message, { path = "/mcp/call", headers = {}, signal } = {}) {
      const sent: Record<string, string | undefined> = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      };
      const raw = typeof message === "string" || message instanceof Uint8Array ? message : JSON.stringify(message);
      const response = await fetch(url + path, {
        method: "POST",
        headers: Object.entries(sent).filter((h): h is [string, string] => h[1] !== undefined),
        body: raw,
        ...(signal && { signal }),
      });
      const text = await response.text();
      const json = response.headers.get("content-type") === "application/json";
      return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : undefined };
    },
  };
}

/** Waits until a server is connected and its tools are known. */
export async function ready(app: TestApp, server: string): Promise<void> {
  await app.upstreams.get(server)?.ensureReady(60_000);
  // The catalog has the tools shortly before the connection state says that they are listed.
  await until(`tools of ${server}`, () => {
    const listed = app.upstreams.get(server)?.status().listing?.listed === true;
    return listed && app.catalog.of(server).some((row) => row.present);
  });
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "0" } },
};

/** A `tools/call` as a raw message. */
export function toolCall(name: string, args: object = {}, id: string | number = 7) {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

interface TextResult {
  content?: unknown;
  isError?: unknown;
}

/** The text of a tool result's first block. */
export function textOf(result: object): string {
  const [block] = ((result as TextResult).content ?? []) as { text?: string }[];
  return block?.text ?? "";
}

/** The parsed JSON text of a tool result's first block. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
export function jsonOf(result: object): any {
  return JSON.parse(textOf(result));
}
