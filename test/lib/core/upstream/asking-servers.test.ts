import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createKnownAskers } from "#lib/core/upstream/known-askers.ts";
import { CLIENTS, older } from "#test/kit/asked-client.ts";
import { jsonOf, program, type Served, serve } from "#test/kit/mcp.ts";
import { memoryLog, startProgram } from "#test/kit/upstream.ts";

/** Servers whose questions name no call: any over standard input and output, and one over HTTP. */
async function servers(t: TestContext, ...flags: string[]) {
  const apart = await startProgram("upstream-http.mjs", "--ask-apart", ...flags);
  t.after(() => apart.kill());
  return [program("stdio"), { name: "http", url: apart.url, trust_mode: "auto" as const }];
}

/** Two callers who are different persons to the proxy. */
async function callers(served: Served, connect: (typeof CLIENTS)[keyof typeof CLIENTS]) {
  const key = { "x-api-key": served.key };
  return [await connect(served, { name: "Amy" }), await connect(served, { name: "Bea", headers: key })] as const;
}

type Answered = { action: string; content?: { name: string } };

test("once a server asked, questions that name no call reach the caller whose call it is, whoever calls at the same time", async (t) => {
  const served = await serve(t, { servers: await servers(t), connect: true });

  for (const connect of Object.values(CLIENTS)) {
    const [amy, bea] = await callers(served, connect);
    for (const server of ["stdio", "http"]) {
      const name = async (client: typeof amy) =>
        (jsonOf(await client.call(`${server}__ask`, { kind: "form" })) as Answered).content?.name;
      await name(amy);

      const said = await Promise.all(Array.from({ length: 10 }, (_, i) => name(i % 2 === 0 ? amy : bea)));

      assert.deepEqual(
        said,
        Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? "Amy" : "Bea")),
        server,
      );
    }
    await amy.close();
    await bea.close();
  }
});

test("that a server asks is known after a restart, so that not even the first question is cancelled", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const options = { servers: [program("stdio")], dir, connect: true };
  /** What a tool hears that asks while a call of somebody else is under way. */
  const answer = async (served: Served) => {
    const [amy, bea] = await callers(served, older);
    const slow = bea.call("stdio__slow", { ms: 500 });
    await new Promise((done) => setTimeout(done, 100));
    const said = jsonOf(await amy.call("stdio__ask", { kind: "form" })) as Answered;
    await slow;
    await Promise.all([amy, bea].map((client) => client.close()));
    return said.content?.name ?? said.action;
  };

  await t.test("before", async (before) => {
    assert.equal(await answer(await serve(before, options)), "cancel", "it could have been a question of either call");
  });

  assert.equal(await answer(await serve(t, options)), "Amy");
});

test("a call that may be asked waits until the server's own stream is open, since a question would be lost", async (t) => {
  const config = { call_tool_timeout: "5s" };
  const served = await serve(t, { servers: await servers(t, "--stream-delay", "700"), config, connect: true });

  for (const connect of Object.values(CLIENTS)) {
    const client = await connect(served);
    const said = jsonOf(await client.call("http__ask", { kind: "form" })) as Answered;
    assert.equal(said.content?.name, "Amy");
    await client.close();
    await served.app.upstreams.get("http")?.restart("test");
  }
});

test("an asking server is known by its definition, and forgotten with its entry", async () => {
  const stored = new Map<string, unknown>();
  const meta = {
    get: <T>(key: string) => stored.get(key) as T,
    set: async (key: string, value: unknown) => void stored.set(key, value),
  };
  const configured = new Set(["a", "b"]);
  const open = () =>
    createKnownAskers({ meta, log: memoryLog().log, isConfigured: (server: string) => configured.has(server) });
  const server = (name: string, command = "x") => ({ name, command }) as never;

  const askers = open();
  askers.add(server("a"));
  askers.add(server("b"));
  assert.ok(open().has(server("a")));
  assert.equal(open().has(server("a", "y")), false);

  configured.delete("b");
  askers.add(server("a", "y"));
  assert.equal(open().has(server("b")), false);
  stored.set("upstream.asking_servers", [7]);
  assert.equal(open().has(server("a", "y")), false, "what cannot be read counts as nothing");
});
