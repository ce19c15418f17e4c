import assert from "node:assert/strict";
import { resolve } from "node:path";
import { before, type TestContext, test } from "node:test";
import { Client as NextClient, StreamableHTTPClientTransport as NextTransport } from "@modelcontextprotocol/client";
import { until } from "#test/kit/upstream.ts";
import { type Daemon, serve, wholeFile } from "./daemon.ts";
import { EVERYTHING, PROGRESS, SLOW } from "./official.ts";

/** The official SDK's second generation, which speaks the revision after those of 2025 where it can. */
let daemon: Daemon;
const file = wholeFile();

before(async () => {
  daemon = await serve(file, {
    config: { mcpServers: [EVERYTHING, upstream("up"), upstream("new", "--era", "modern")] },
  });
  await Promise.all(["everything", "up", "new"].map((name) => daemon.listed(name)));
});

function upstream(name: string, ...flags: string[]) {
  const args = [resolve("test/programs/upstream-stdio.mjs"), "--name", name, ...flags];
  return { name, command: process.execPath, args, quarantined: false, trust_mode: "auto" };
}

type Options = ConstructorParameters<typeof NextClient>[1];

/** The client on `/mcp/all`, of revision 2026-07-28 alone. */
async function next(t: TestContext, options: Options = {}): Promise<NextClient> {
  const versionNegotiation = { mode: { pin: "2026-07-28" } };
  const client = new NextClient(
    { name: "end-to-end", version: "2.0.0" },
    { versionNegotiation, capabilities: { elicitation: {} }, ...options },
  );
  t.after(() => client.close());
  client.setRequestHandler("elicitation/create", async ({ params }) => ({
    action: "accept",
    content: { name: `whoever read "${params.message}"` },
  }));
  await client.connect(new NextTransport(new URL(`${daemon.url}/mcp/all`)));
  return client;
}

const NEXT: [says: string, mode: "legacy" | "auto" | { pin: "2026-07-28" } | undefined, revision: string][] = [
  ["as it comes", undefined, "2025-11-25"],
  ["that asks for the next revision first", "auto", "2026-07-28"],
  ["that insists on the next revision", { pin: "2026-07-28" }, "2026-07-28"],
];
for (const [says, mode, revision] of NEXT)
  test(`the official client's second generation, ${says}, finds and calls tools`, async () => {
    const client = new NextClient(
      { name: "end-to-end", version: "2.0.0" },
      mode === undefined ? {} : { versionNegotiation: { mode } },
    );
    await client.connect(new NextTransport(new URL(`${daemon.url}/mcp/all`)));
    const progress: object[] = [];

    const { tools } = await client.listTools();
    const weather = await client.callTool({
      name: "everything__get-structured-content",
      arguments: { location: "New York" },
    });
    await client.callTool({ ...SLOW, name: `everything__${SLOW.name}` }, { onprogress: (p) => progress.push(p) });
    const agreed = client.getNegotiatedProtocolVersion();
    await client.close();

    assert.equal(agreed, revision);
    assert.ok(tools.length > 10);
    assert.deepEqual(weather.structuredContent, { temperature: 33, conditions: "Cloudy", humidity: 82 });
    assert.deepEqual(progress, PROGRESS);
  });

test("2026-07-28: what a server asks in the middle of a call is asked by the official client, and the answer arrives", async (t) => {
  const client = await next(t);

  const { content } = await client.callTool({ name: "new__ask", arguments: {} });

  assert.deepEqual(content, [{ type: "text", text: 'hello whoever read "[new] Your name?" state=opaque-1' }]);
});

test("2026-07-28: a client that hangs up has cancelled", async (t) => {
  const client = await next(t);
  const stats = async () => {
    const { content } = await client.callTool({ name: "up__stats", arguments: {} });
    return JSON.parse((content as { text: string }[])[0]!.text) as { cancelled: number; calls: number };
  };
  const before = await stats();
  const control = new AbortController();
  const slow = client.callTool({ name: "up__slow", arguments: { ms: 120_000 } }, { signal: control.signal });
  slow.catch(() => {});
  // The second count is of the calls that ask for it.
  let asked = 1;
  await until("it is under way", async () => (await stats()).calls > before.calls + asked++);

  control.abort();

  await assert.rejects(slow);
  await until("the upstream heard of it", async () => (await stats()).cancelled === before.cancelled + 1);
});

test("2026-07-28: the official client hears through its subscription that the list has changed", async (t) => {
  let changes = 0;
  const client = await next(t, { listChanged: { tools: { autoRefresh: false, onChanged: () => void changes++ } } });
  const listed = async (name: string) => (await client.listTools()).tools.some((tool) => tool.name === name);
  assert.equal(await listed("up__fresh"), false);

  await client.callTool({ name: "up__add_tool", arguments: { name: "fresh" } });

  await until("the change is told", () => changes > 0);
  // What it kept of the list is not shown any more.
  assert.equal(await listed("up__fresh"), true);
});
