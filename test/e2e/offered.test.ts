import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { folder } from "#test/kit/program.ts";
import { until } from "#test/kit/upstream.ts";
import { type Daemon, type Json, serve, wholeFile } from "./daemon.ts";
import { officialServer } from "./official.ts";

/**
 * Servers that nobody here wrote, asked directly and through the proxy: what a server offers must be offered through the
 * proxy, and must answer the same. Only names, URIs and the mark of the server in a description differ.
 */
const installed = process.env.PROXY_REAL_SERVERS;
/** Programs beside the interpreters with version 1 and 2 of the package "mcp". */
const pythons = (process.env.TEST_PYTHON_MCP ?? "").split(":").filter(Boolean).map(dirname);
const skip =
  installed && existsSync(join(installed, "complete")) && pythons.length === 2
    ? false
    : "NOT RUN: no real servers; set PROXY_REAL_SERVERS=$(test/npm/install.sh servers) and TEST_PYTHON_MCP=$(test/python/install.sh mcp-1 python):$(test/python/install.sh mcp-2 python)";

const file = wholeFile();
const work = folder(file);
const repository = join(work, "repository");

interface RealServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Record<string, string>;
  /** A tool whose answer is the same each time and asks nobody outside this machine. */
  readonly call?: readonly [tool: string, args: Record<string, unknown>];
}

const node = (name: string, program: string, ...args: string[]) => ({
  name,
  command: process.execPath,
  args: [resolve(installed ?? "", "node_modules", program), ...args],
});
const official = (name: "everything" | "filesystem" | "memory", ...args: string[]) => ({
  name,
  command: process.execPath,
  args: [officialServer(name), ...args],
});
const python = (version: 1 | 2, program: string, ...args: string[]) => ({
  name: program,
  command: resolve(pythons[version - 1] ?? "", program),
  args,
});

const SERVERS: RealServer[] = [
  { ...official("everything", "stdio"), call: ["get-resource-links", { count: 3 }] },
  { ...official("filesystem", work), call: ["list_directory", { path: repository }] },
  { ...official("memory"), env: { MEMORY_FILE_PATH: join(work, "memory.jsonl") }, call: ["read_graph", {}] },
  {
    ...node("sequential-thinking", "@modelcontextprotocol/server-sequential-thinking/dist/index.js"),
    call: ["sequentialthinking", { thought: "x", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }],
  },
  { ...node("github", "@modelcontextprotocol/server-github/dist/index.js") },
  { ...node("context7", "@upstash/context7-mcp/dist/index.js") },
  { ...node("chart", "@antv/mcp-server-chart/build/index.js") },
  {
    ...node("git-tools", "@cyanheads/git-mcp-server/dist/index.js"),
    env: { MCP_TRANSPORT_TYPE: "stdio", LOGS_DIR: join(work, "logs") },
  },
  {
    ...python(2, "mcp-server-time", "--local-timezone=UTC"),
    call: ["convert_time", { source_timezone: "UTC", time: "12:00", target_timezone: "Asia/Tokyo" }],
  },
  {
    ...python(2, "mcp-server-git", "--repository", repository),
    call: ["git_log", { repo_path: repository, max_count: 1 }],
  },
  { ...python(2, "mcp-server-fetch") },
  { ...python(2, "duckduckgo-mcp-server") },
  { ...python(2, "wikipedia-mcp") },
  { ...python(1, "mcp-server-sqlite", "--db-path", join(work, "data.db")), call: ["list_tables", {}] },
  { ...python(1, "mcp-server-calculator"), call: ["calculate", { expression: "6*7" }] },
  { ...python(1, "arxiv-mcp-server", "--storage-path", join(work, "papers")) },
];

const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** What one server offers, asked page by page. A method that it does not know offers nothing. */
interface Offered {
  tools: Json[];
  prompts: Json[];
  resources: Json[];
  resourceTemplates: Json[];
}

let daemon: Daemon;
let proxied: Client;
let all: Offered;

before(
  async () => {
    if (skip) return;
    mkdirSync(repository);
    writeFileSync(join(repository, "readme.md"), "one\n");
    for (const args of [
      ["init", "-q"],
      ["add", "."],
      ["commit", "-q", "-m", "first"],
    ])
      git(args);
    const mcpServers = SERVERS.map(({ call: _, ...server }) => ({
      ...server,
      quarantined: false,
      trust_mode: "auto",
    }));
    daemon = await serve(file, { config: { mcpServers, quarantine_enabled: false } });
    await until(
      "every server is connected",
      async () => {
        const { servers } = await daemon.rest("GET /servers?limit=100");
        return servers.every((server: Json) => server.connected && server.tool_count > 0);
      },
      120_000,
    );
    proxied = await connect(new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp/all`)) as Transport);
    all = await offered(proxied);
  },
  { timeout: 150_000 },
);

describe("a real server offers everything through the proxy", { concurrency: 2, skip }, () => {
  for (const server of SERVERS)
    test(server.name, { timeout: 120_000 }, async () => {
      const { name, command, args, env } = server;
      const environment = { ...baseEnvironment(), ...env };
      const direct = await connect(
        new StdioClientTransport({ command, args: [...args], env: environment, stderr: "ignore" }),
      );
      const own = await offered(direct);

      // A server's prompts and resources are listed after its tools, when the server is connected already.
      const expected = shownThrough(name, own);
      for (const end = Date.now() + 30_000; Date.now() < end && !isDeepStrictEqual(offeredBy(name), expected); )
        all = await offered(proxied);
      assert.deepEqual(offeredBy(name), expected);
      for (const { name: prompt, arguments: takes = [] } of own.prompts) {
        const values = Object.fromEntries(takes.map((taken: Json) => [taken.name, "1"]));
        assert.deepEqual(
          await answered(proxied.getPrompt({ name: `${name}__${prompt}`, arguments: values })),
          mapped(name, await answered(direct.getPrompt({ name: prompt, arguments: values }))),
          prompt,
        );
      }
      for (const { uri } of own.resources.slice(0, 10))
        assert.deepEqual(
          await answered(proxied.readResource({ uri: mappedUri(name, uri) })),
          mapped(name, await answered(direct.readResource({ uri }))),
          uri,
        );
      if (!server.call) return;
      const [tool, values] = server.call;
      assert.deepEqual(
        await answered(proxied.callTool({ name: `${name}__${tool}`, arguments: values })),
        mapped(name, await answered(direct.callTool({ name: tool, arguments: values }))),
      );
    });

  test("and nothing is offered that no server offers", () => {
    const names = SERVERS.map((server) => server.name);
    for (const { name } of [...all.tools, ...all.prompts])
      assert.ok(
        names.some((server) => name.startsWith(`${server}__`)),
        name,
      );
  });
});

/** The part of the proxy's lists that belongs to one server. */
function offeredBy(server: string): Offered {
  const named = ({ name }: Json) => name.startsWith(`${server}__`);
  const placed = (uri: string) => uri.startsWith(`via://${server}/`) || uri.startsWith(`ui://via.${server}/`);
  return {
    tools: sorted(all.tools.filter(named)),
    prompts: sorted(all.prompts.filter(named)),
    resources: sorted(all.resources.filter(({ uri }) => placed(uri))),
    resourceTemplates: sorted(all.resourceTemplates.filter(({ uriTemplate }) => placed(uriTemplate))),
  };
}

/** What the proxy must show of a server. */
function shownThrough(server: string, { tools, prompts, resources, resourceTemplates }: Offered): Offered {
  const named = (item: Json) => ({ ...item, name: `${server}__${item.name}` });
  // A tool that requires a task can be called without one: the proxy waits for its end then.
  const tool = ({ execution, ...item }: Json) => ({
    ...named(item),
    description: `[${server}] ${item.description ?? ""}`,
    ...(execution && {
      execution: execution.taskSupport === "required" ? { ...execution, taskSupport: "optional" } : execution,
    }),
  });
  return {
    tools: sorted(tools.map(tool)),
    prompts: sorted(prompts.map(named)),
    resources: sorted(resources.map((item) => ({ ...item, uri: mappedUri(server, item.uri) }))),
    resourceTemplates: sorted(
      resourceTemplates.map((item) => ({ ...item, uriTemplate: mappedUri(server, item.uriTemplate) })),
    ),
  };
}

function mappedUri(server: string, uri: string): string {
  return uri.startsWith("ui://") ? `ui://via.${server}/${uri.slice(5)}` : `via://${server}/${uri}`;
}

/** An answer whose URIs are those of the proxy. */
function mapped(server: string, answer: Json): Json {
  if (Array.isArray(answer)) return answer.map((one) => mapped(server, one));
  if (typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [
      key,
      key === "uri" && typeof value === "string" ? mappedUri(server, value) : mapped(server, value),
    ]),
  );
}

/**
 * The result of a request, or the code and text of its error. The proxy asks a server in its newest version, the direct
 * client in an older one: what only the newer version adds is left out.
 */
async function answered(request: Promise<Json>): Promise<Json> {
  try {
    const { resultType: _, _meta: { [SERVER_INFO]: __, ...meta } = {} as Json, ...result } = await request;
    return { ...result, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
  } catch (error) {
    return { code: (error as Json).code, message: (error as Error).message };
  }
}

async function offered(client: Client): Promise<Offered> {
  const [tools, prompts, resources, resourceTemplates] = await Promise.all([
    pages((cursor) => client.listTools({ cursor }), "tools"),
    pages((cursor) => client.listPrompts({ cursor }), "prompts"),
    pages((cursor) => client.listResources({ cursor }), "resources"),
    pages((cursor) => client.listResourceTemplates({ cursor }), "resourceTemplates"),
  ]);
  return { tools, prompts, resources, resourceTemplates };
}

async function pages(list: (cursor: string | undefined) => Promise<Json>, member: string): Promise<Json[]> {
  const found: Json[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor).catch((error) => {
      if (/Method not found|does not support/i.test(error.message)) return { [member]: [] };
      throw error;
    });
    found.push(...page[member]);
    cursor = page.nextCursor;
  } while (cursor);
  return found;
}

/** The official client, which may be asked what the proxy may be asked. */
async function connect(transport: Transport): Promise<Client> {
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
  const client = new Client({ name: "end-to-end", version: "1.0.0" }, { capabilities });
  file.after(() => client.close());
  await client.connect(transport);
  return client;
}

function git(args: string[]) {
  const author = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.com"];
  const { status, stderr } = spawnSync("git", ["-C", repository, ...author, ...args], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

function baseEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: work };
}

const sorted = (items: Json[]) => items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
const key = (item: Json): string => `${item.name} ${item.uri ?? item.uriTemplate ?? ""}`;
