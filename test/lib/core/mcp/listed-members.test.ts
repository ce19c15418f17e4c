import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Client as NewClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { able, ask } from "#test/kit/era.ts";
import { INITIALIZE, type Served, serve, textOf } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";
import { BOARD, LISTED } from "#test/programs/upstream-fields.mjs";

// biome-ignore lint/suspicious/noExplicitAny: entries of every shape are compared
type Entry = any;

const UI = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };
const NAMES = { tools: "name", prompts: "name", resources: "uri", resourceTemplates: "uriTemplate" } as const;
const METHODS = {
  tools: "tools/list",
  prompts: "prompts/list",
  resources: "resources/list",
  resourceTemplates: "resources/templates/list",
} as const;
type Kind = keyof typeof METHODS;

/** A proxy in front of the server of all members, which speaks one protocol version. */
async function open(t: TestContext, era: string): Promise<Served> {
  const args = ["test/programs/upstream-fields.mjs", "--era", era];
  const fields = { name: "f", command: process.execPath, args, trust_mode: "auto" as const };
  const served = await serve(t, { servers: [fields], connect: true });
  await until("prompts and resources are known", () =>
    ["prompt", "resource", "template"].every((kind) => served.app.catalog.items.of("f", kind as "prompt").length > 0),
  );
  return served;
}

/** What a client that shows apps must see of an entry. */
function expected(kind: Kind, entry: Entry, client: string): Entry {
  const mapped = (uri: string) => (uri.startsWith("ui://") ? uri.replace("ui://", "ui://via.f/") : `via://f/${uri}`);
  const key = NAMES[kind];
  const shown = { ...structuredClone(entry), [key]: key === "name" ? `f__${entry.name}` : mapped(entry[key]) };
  if (kind !== "tools") return shown;
  shown.description = entry.description ? `[f] ${entry.description}` : "[f]";
  if (entry.execution) shown.execution = { taskSupport: "optional" };
  if (entry._meta?.ui) shown._meta.ui.resourceUri = mapped(entry._meta.ui.resourceUri);
  if (entry._meta?.["ui/resourceUri"]) shown._meta["ui/resourceUri"] = mapped(entry._meta["ui/resourceUri"]);
  // The older version only has schemas of objects, and its clients reject the whole list for another one.
  if (client === "2025" && entry.outputSchema && entry.outputSchema.type !== "object") delete shown.outputSchema;
  return shown;
}

/** The entries as a client of one protocol version gets them. */
async function listed(served: Served, client: string, method: string): Promise<Entry> {
  if (client === "2026") return (await ask(served, method, able(UI))).body.result;
  const opened = await served.post(
    { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: UI } },
    { path: "/mcp/all" },
  );
  const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  return (await served.post({ jsonrpc: "2.0", id: 2, method }, { path: "/mcp/all", headers })).body.result;
}

for (const era of ["legacy", "modern"])
  test(`every member that a server lists reaches clients of both protocol generations (server: ${era})`, async (t) => {
    const served = await open(t, era);

    for (const client of ["2025", "2026"])
      for (const kind of Object.keys(METHODS) as Kind[]) {
        const all: Entry[] = (await listed(served, client, METHODS[kind]))[kind];
        for (const entry of LISTED[kind]) {
          const wanted = expected(kind, entry, client);
          const key = NAMES[kind];
          const found = all.find((one) => one[key] === wanted[key]);
          assert.deepEqual(found, wanted, `${kind} of a client of ${client}`);
        }
        assert.equal(all.length, LISTED[kind].length);
      }
  });

test("official clients of both generations take the lists and a result that is no object", async (t) => {
  const served = await open(t, "modern");
  const older = await served.client("/mcp/all");
  const newer = new NewClient({ name: "newer", version: "2" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  t.after(() => newer.close());
  await newer.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp/all`)));
  const call = { name: "f__rows", arguments: { city: "a" } };

  assert.equal((await older.listTools()).tools.length, LISTED.tools.length - 1, "all but the tool of the app");
  assert.equal((await newer.listTools()).tools.length, LISTED.tools.length - 1);
  assert.equal(textOf(await older.callTool(call)), "[1]");
  const result = await newer.callTool(call);
  assert.deepEqual(result.structuredContent, [1]);
});

test("an app: its tool is listed with its page, the page is read with its policies, and the app calls its tool", async (t) => {
  const served = await open(t, "modern");
  const client = new NewClient(
    { name: "host", version: "1" },
    { capabilities: UI, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  t.after(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp/all`)));

  const { tools } = await client.listTools();
  const board = tools.find(({ name }) => name === "f__show_board")!;
  const { ui } = board._meta as { ui: { resourceUri: string } };
  const shown = await client.callTool({ name: "f__show_board", arguments: {} });
  const { contents } = await client.readResource({ uri: ui.resourceUri });
  const moved = await client.callTool({ name: "move_card", arguments: {} });

  assert.equal(textOf(shown), "called show_board");
  assert.deepEqual(contents, [{ ...BOARD, uri: ui.resourceUri }]);
  assert.equal(textOf(moved), "called move_card");
});
