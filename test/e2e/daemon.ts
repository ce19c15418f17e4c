import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { folder, type Running, runProgram, type Scope, start } from "#test/kit/program.ts";
import { until } from "#test/kit/upstream.ts";

/** The administrator's key of every daemon here. */
export const KEY = "end-to-end-key-0123456789abcdef";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
export type Json = any;

/** The text of a tool result's first block. */
export const textOf = (result: Json): string => result.content[0].text;
/** The same, read as JSON. */
export const jsonOf = (result: Json): Json => JSON.parse(textOf(result));

/** The built program, serving on a port of its own. */
export interface Daemon extends Running {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** The data directory. */
  readonly dir: string;
  /** An official SDK client on one endpoint, without a key. */
  client(path?: string): Promise<Client>;
  /** A REST call as administrator; answers `data`, and throws what is no success. */
  rest(request: string, body?: unknown): Promise<Json>;
  /** A command line against it, through its local socket; answers what it printed, and throws when it failed. */
  cli(...argv: string[]): Promise<string>;
  /** Waits until a server is connected and its tools are known. */
  listed(server: string): Promise<void>;
}

/** Calls an upstream's tool as a client in search mode does, through one of the three variants. */
export function callThrough(client: Client, variant: string, name: string, args: unknown): Promise<Json> {
  const intent = { operation_type: variant.slice("call_tool_".length) };
  return client.callTool({ name: variant, arguments: { name, args, intent } });
}

export interface DaemonOptions {
  /** Top-level configuration keys; ignored where the folder has a configuration already. */
  config?: Record<string, unknown>;
  /** An existing data directory. */
  dir?: string;
  env?: Record<string, string>;
  /** The bundle to run instead of that of this build. */
  bundle?: string;
}

/** What lives as long as the tests of a file, started by its hooks; ends in reverse order. */
export function wholeFile(): Scope {
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  return { after: (end) => void ends.push(end) };
}

/** Starts `dist/proxy.cjs serve` and waits until it answers; it ends with the scope. */
export async function serve(scope: Scope, { config = {}, dir, env = {}, bundle }: DaemonOptions = {}): Promise<Daemon> {
  const at = dir ?? join(folder(scope), "data");
  if (dir === undefined) {
    mkdirSync(at, { mode: 0o700 });
    const document = { listen: "127.0.0.1:0", api_key: KEY, ...config };
    writeFileSync(join(at, "mcp_config.json"), JSON.stringify(document), { mode: 0o600 });
  }
  const running = start(scope, ["serve", "--data-dir", at], env, bundle);
  const [, url = ""] = await running.says(/MCP endpoint\s+(http:\S+)\/mcp\n/);
  const clients: Client[] = [];
  scope.after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    running.child.kill("SIGTERM");
    await running.ended;
  });

  const rest: Daemon["rest"] = async (request, body) => {
    const [method = "", path = ""] = request.split(" ");
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { "x-api-key": KEY, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Json;
    if (!response.ok) throw new Error(`${request}: ${response.status} ${answer.error}`);
    return answer.data;
  };

  return {
    ...running,
    url,
    dir: at,
    rest,
    async client(path = "/mcp") {
      const client = new Client({ name: "end-to-end", version: "1.0.0" });
      clients.push(client);
      // The SDK's own type is laxer about undefined than the interface it implements.
      await client.connect(new StreamableHTTPClientTransport(new URL(url + path)) as Transport);
      return client;
    },
    async cli(...argv) {
      const { code, out, err } = await runProgram(scope, [...argv, "--data-dir", at]);
      if (code !== 0) throw new Error(`proxy ${argv.join(" ")} exited ${code}: ${err}`);
      return out;
    },
    listed: (server) =>
      until(`${server} is connected and its tools are listed`, async () => {
        const { servers } = await rest("GET /servers");
        const found = servers.find((s: Json) => s.name === server);
        return found?.connected && found.tool_count > 0;
      }),
  };
}
