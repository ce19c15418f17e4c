import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { folder } from "#test/kit/program.ts";
import { until } from "#test/kit/upstream.ts";
import { verifies } from "#test/kit/verifies.ts";
import { callThrough, type Daemon, type Json, jsonOf, serve, textOf, wholeFile } from "./daemon.ts";
import { type EverythingHttp, everythingHttp, officialServer } from "./official.ts";

/**
 * The whole program in front of servers that nobody here wrote, driven by the official SDK's client: from adding a
 * server without a key, through quarantine, release and search, to calls that answer as the server itself does.
 */
let daemon: Daemon;
let anybody: Client;
let direct: Client;
let http: EverythingHttp;
const file = wholeFile();
const files = folder(file);

before(async () => {
  writeFileSync(join(files, "poem.txt"), "Über allen Gipfeln\nIst Ruh\n");
  writeFileSync(join(files, "dot.png"), Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ", "base64"));
  writeFileSync(join(files, "tone.wav"), Buffer.from("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAA==", "base64"));
  for (const side of ["direct", "proxied"]) mkdirSync(join(files, side));
  [daemon, http] = await Promise.all([serve(file), everythingHttp(file)]);
  [anybody, direct] = await Promise.all([daemon.client(), daemon.client("/mcp/all")]);
});
file.after(() => Promise.all(alone.map((client) => client.close())));
const alone: Client[] = [];

/** The official client on a server itself, without the proxy. It may be asked what the proxy may be asked. */
async function connect(transport: Transport): Promise<Client> {
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
  const client = new Client({ name: "end-to-end", version: "1.0.0" }, { capabilities });
  alone.push(client);
  await client.connect(transport);
  return client;
}

interface Server {
  name: string;
  /** As a client adds it with upstream_servers. */
  add(): Record<string, string>;
  /** The same server for a client without a proxy. */
  transport(): Transport;
  release: "REST" | "the command line";
  /** Words that must find `finds` first. */
  query: string;
  finds: string;
  /** Tools and arguments whose answers must be the same with and without the proxy. */
  calls: [tool: string, args: Record<string, unknown>][];
}

const stdio = (...args: string[]) => ({
  add: () => ({ command: process.execPath, args_json: JSON.stringify(args) }),
  transport: () => new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }),
});

const EVERYTHING: Server["calls"] = [
  ["echo", { message: "grüß dich, 世界 \u0000 \ud83d\ude00" }],
  ["echo", { message: "x".repeat(1 << 20) }],
  ["echo", { wrong: true }],
  ["get-sum", { a: 0.1, b: 0.2 }],
  ["get-structured-content", { location: "Chicago" }],
  ["get-annotated-message", { messageType: "error", includeImage: true }],
  ["get-tiny-image", {}],
  ["get-resource-links", { count: 3 }],
  ["gzip-file-as-resource", { name: "a.gz", data: "data:text/plain,hello", outputType: "resource" }],
];

const SERVERS: Server[] = [
  {
    name: "everything",
    ...stdio(officialServer("everything"), "stdio"),
    release: "REST",
    query: "echo back the input",
    finds: "echo",
    calls: EVERYTHING,
  },
  {
    name: "everything-http",
    add: () => ({ url: http.url, protocol: "http" }),
    transport: () => new StreamableHTTPClientTransport(new URL(http.url)) as Transport,
    release: "the command line",
    query: "tiny image logo",
    finds: "get-tiny-image",
    calls: EVERYTHING,
  },
  {
    name: "files",
    ...stdio(officialServer("filesystem"), files),
    release: "the command line",
    query: "read a picture or sound from disk",
    finds: "read_media_file",
    calls: [
      ["list_directory", { path: files }],
      ["read_text_file", { path: join(files, "poem.txt"), head: 1 }],
      ["read_media_file", { path: join(files, "dot.png") }],
      ["read_media_file", { path: join(files, "tone.wav") }],
      ["get_file_info", { path: join(files, "poem.txt") }],
      ["read_text_file", { path: "/etc/hostname" }],
      ["write_file", { path: join(files, "proxied", "new.txt"), content: "line\n".repeat(1000) }],
    ],
  },
  {
    name: "memory",
    // Two processes, each with a memory of its own.
    add: () => ({
      ...stdio(officialServer("memory")).add(),
      env_json: JSON.stringify({ MEMORY_FILE_PATH: join(files, "proxied", "memory.jsonl") }),
    }),
    transport: () =>
      new StdioClientTransport({
        command: process.execPath,
        args: [officialServer("memory")],
        env: { MEMORY_FILE_PATH: join(files, "direct", "memory.jsonl") },
        stderr: "ignore",
      }),
    release: "REST",
    query: "remember new entities in the knowledge graph",
    finds: "create_entities",
    calls: [
      ["create_entities", { entities: [{ name: "Ada", entityType: "person", observations: ["counts", "écrit"] }] }],
      ["add_observations", { observations: [{ entityName: "Ada", contents: ["flies"] }] }],
      ["search_nodes", { query: "ada" }],
      ["delete_entities", { entityNames: ["Nobody"] }],
      ["read_graph", {}],
      ["open_nodes", { names: "not a list" }],
    ],
  },
];

describe("a real server behind the proxy", { concurrency: true }, () => {
  for (const server of SERVERS)
    verifies(
      ["rest.what.between", "mcp.what.names", "rest.what.quarantine-default", "mcp.quarantine.analysis"],
      `${server.name}: added without a key it waits, released by ${server.release} it is found and called as itself`,
      () => journey(server),
    );
});

async function journey(server: Server): Promise<void> {
  const itself = await connect(server.transport());
  const { tools } = await itself.listTools();

  await addedAndQuarantined(server, tools.length);
  await heldBack(server, tools);
  await released(server);
  await found(server);
  await describedAs(server, tools);
  await listedAs(server, tools);
  for (const [tool, args] of server.calls) await answersAs(itself, server, tool, args);
  await onRecord(server);
}

/** Whatever the client says. */
async function addedAndQuarantined({ name, add }: Server, count: number) {
  const args = { operation: "add", name, ...add(), quarantined: false };
  const added = jsonOf(await anybody.callTool({ name: "upstream_servers", arguments: args }));

  assert.deepEqual([added.quarantined, added.held], [true, true]);
  await daemon.cli("upstream", "confirm", name, "--yes");
  // Some tools of a server are listed only after it has learnt what its client can do.
  await until(`${count} tools of ${name} are listed`, async () => {
    const { servers } = await daemon.rest("GET /servers");
    return servers.find((one: Json) => one.name === name)?.tool_count === count;
  });
}

/** Nothing of it is found, listed or called, and a refusal quotes nothing of it. */
async function heldBack({ name, query, finds }: Server, tools: Tool[]) {
  const unseen = await search(query);
  const listed = await direct.listTools();
  const refused = await callThrough(anybody, "call_tool_destructive", `${name}:${finds}`, {});

  assert.ok(!unseen.tools.some((tool: Json) => tool.server === name));
  assert.ok(unseen.withheld.quarantined > 0);
  assert.ok(!listed.tools.some((tool) => tool.name.startsWith(`${name}__`)));
  const { status, executed, analysis } = jsonOf(refused);
  assert.deepEqual(
    [refused.isError, status, executed, analysis.server.tools],
    [true, "server_quarantined", false, tools.length],
  );
  for (const text of tools.flatMap(texts)) assert.ok(!textOf(refused).includes(text), text);
}

/** By a person, and by no client without a key. */
async function released({ name, release }: Server) {
  const patch = { operation: "patch", name, quarantined: false };
  const denied = await anybody.callTool({ name: "upstream_servers", arguments: patch });
  assert.equal(denied.isError, true);

  if (release === "REST") await daemon.rest(`POST /servers/${name}/unquarantine`);
  else assert.match(await daemon.cli("upstream", "unquarantine", name, "--yes"), new RegExp(name));
}

async function found({ name, query, finds }: Server) {
  const { tools } = await search(query);

  assert.equal(tools.find((tool: Json) => tool.server === name).name, `${name}:${finds}`);
}

async function describedAs({ name }: Server, tools: Tool[]) {
  for (const { title, description, inputSchema, annotations, ...tool } of tools) {
    const shown = await definition(`${name}:${tool.name}`);
    assert.deepEqual(
      [shown.title, shown.description, shown.inputSchema, shown.annotations],
      [title, description, inputSchema, annotations],
    );
  }
}

/** In direct mode a list is the server's own but for names, the mark of where a tool comes from, and that no tool requires tasks. */
async function listedAs({ name }: Server, tools: Tool[]) {
  const listed = (await direct.listTools()).tools.filter((tool) => tool.name.startsWith(`${name}__`));
  const expected = tools.map(({ execution, ...tool }) => ({
    ...tool,
    ...(execution && {
      execution: execution.taskSupport === "required" ? { taskSupport: "optional" as const } : execution,
    }),
    name: `${name}__${tool.name}`,
    description: `[${name}] ${tool.description}`,
  }));

  assert.deepEqual(byName(listed), byName(expected));
}

async function answersAs(itself: Client, { name }: Server, tool: string, args: Record<string, unknown>) {
  const own = mapped(await itself.callTool({ name: tool, arguments: args }), name);
  const { call_with } = await definition(`${name}:${tool}`);
  assert.deepEqual(await callThrough(anybody, call_with, `${name}:${tool}`, args), own);
  // What is remembered twice is answered differently.
  if (name !== "memory") assert.deepEqual(await direct.callTool({ name: `${name}__${tool}`, arguments: args }), own);
}

/** A result as the proxy passes it on: the resources of `everything` are read through it. */
function mapped<T>(result: T, server: string): T {
  return JSON.parse(JSON.stringify(result).replaceAll('"uri":"demo://', `"uri":"via://${server}/demo://`));
}

async function onRecord({ name }: Server) {
  const { activities } = await daemon.rest(`GET /activity?server=${name}&limit=100`);
  const kinds = new Set(activities.map((a: Json) => `${a.type} ${a.status}`));

  for (const kind of ["tool_call success", "policy_decision blocked", "quarantine_change success"])
    assert.ok(kinds.has(kind), `${kind} of ${[...kinds]}`);
}

async function search(query: string): Promise<Json> {
  return jsonOf(await anybody.callTool({ name: "retrieve_tools", arguments: { query, limit: 5 } }));
}

async function definition(id: string): Promise<Json> {
  const { definitions } = jsonOf(await anybody.callTool({ name: "describe_tool", arguments: { ids: [id] } }));
  return definitions[0];
}

const byName = (tools: Tool[]) => tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** Every text of a tool's definition that a model could take for an instruction. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return value.length > 12 ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === "name" || key === "$schema" ? [] : texts(inner)));
}
