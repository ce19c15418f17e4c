import assert from "node:assert/strict";
import { after, test } from "node:test";
import { CLIENTS, older } from "#test/kit/asked-client.ts";
import { able, ask } from "#test/kit/era.ts";
import { program, type Served, serve, textOf } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";
import { startProgram } from "#test/kit/upstream.ts";

const KINDS = ["form", "url", "sampling", "roots"] as const;
const METHODS = {
  form: "elicitation/create",
  url: "elicitation/create",
  sampling: "sampling/createMessage",
  roots: "roots/list",
};

const programs: { kill(): Promise<void> }[] = [];
after(async () => {
  for (const one of programs) await one.kill();
});

/** Official servers of both families, by both transports. */
async function servers() {
  const entry = (name: string, ...flags: string[]) => ({
    name,
    command: process.execPath,
    args: ["test/programs/upstream-sdk.mjs", ...flags, "asks"],
    trust_mode: "auto" as const,
  });
  const listening = async (name: string, ...flags: string[]) => {
    const one = await startProgram("upstream-sdk.mjs", ...flags, "asks");
    programs.push(one);
    return { name, url: one.url, trust_mode: "auto" as const };
  };
  return [
    entry("old-stdio", "1", "stdio", "both"),
    entry("new-stdio", "2", "stdio", "modern"),
    await listening("old-http", "1", "http", "both"),
    await listening("new-http", "2", "http", "modern"),
    await listening("old-sse", "1", "sse", "both"),
  ];
}

const WANTED: Record<(typeof KINDS)[number], (said: { [member: string]: unknown }) => void> = {
  form: (said) => assert.deepEqual(said, { action: "accept", content: { name: "Amy" } }),
  url: (said) => assert.equal(said.action, "accept"),
  sampling: (said) => assert.deepEqual(said.content, { type: "text", text: "4" }),
  roots: (said) => assert.deepEqual(said.roots, [{ uri: "file:///work" }]),
};

test("each client is asked by each server's tools, prompts and resources, whatever the protocol version and the transport", async (t) => {
  const served = await serve(t, { servers: await servers(), connect: true });
  const names = ["old-stdio", "new-stdio", "old-http", "new-http", "old-sse"];
  await until("prompts and templates are listed", () =>
    names.every(
      (server) =>
        served.app.catalog.items.get("prompt", server, "ask") &&
        served.app.catalog.items.get("template", server, "ask://{kind}"),
    ),
  );

  for (const [family, connect] of Object.entries(CLIENTS)) {
    const client = await connect(served);
    for (const server of names)
      for (const thing of ["tool", "prompt", "resource"] as const)
        for (const kind of KINDS) {
          const row = `client ${family}, ${server}, ${thing}, ${kind}`;
          client.seen.length = 0;

          const said = await client.ask(thing, server, kind).catch((error) => assert.fail(`${row}: ${error}`));

          assert.equal(client.seen.length, 1, `${row}: ${JSON.stringify(said)}`);
          const [question] = client.seen;
          assert.equal(question?.method, METHODS[kind], row);
          if (METHODS[kind] === "elicitation/create")
            assert.equal(question?.params.message, `[${server}] ${kind === "url" ? "Sign in" : "Your name?"}`, row);
          WANTED[kind](said as { [member: string]: unknown });
        }
    await client.close();
  }
});

test("a client that declares nothing is not asked: the tool hears that nobody answers", async (t) => {
  const served = await serve(t, { servers: [program("up")], connect: true });
  const client = await served.client("/mcp/all");

  const said = async (kind: string) =>
    JSON.parse(textOf(await client.callTool({ name: "up__ask", arguments: { kind } })));

  assert.deepEqual(await said("form"), { action: "cancel" });
  assert.deepEqual(await said("roots"), { roots: [] });
  assert.equal((await said("sampling")).code, -1);
});

test("a question that the configuration does not allow, or that leads to an open address, reaches nobody", async (t) => {
  const closed = { ...program("closed"), allow_elicitation: false, allow_sampling: false, allow_roots: false };
  const served = await serve(t, { servers: [program("up"), closed], connect: true });
  const client = await older(served);

  const plain = await client.call("up__ask", { kind: "plain" });
  const off = await client.call("closed__ask", { kind: "form" });
  await client.close();

  assert.deepEqual(JSON.parse(textOf(plain)), { action: "cancel" });
  assert.match(textOf(off), /not supported/);
  assert.deepEqual(client.seen, []);
  // Newest first; the one that was never declared is no question.
  const { records } = await served.app.store.activity.select({ type: ["question"] }, { limit: 10 });
  assert.deepEqual(
    records.map(({ server_name, tool_name, status, metadata }) => [server_name, tool_name, status, metadata?.reason]),
    [["up", "ask", "blocked", "its address is neither https nor on this machine"]],
  );
});

test("a held call takes an answer from its own caller, for its own arguments, and gives a lost result again", async (t) => {
  const served = await serve(t, { servers: [program("up")], connect: true });
  const args = { kind: "form" };
  const call = (more: object = {}) =>
    ask(served, "tools/call", { name: "up__ask", arguments: args, ...able({ elicitation: {} }), ...more });

  const { resultType, inputRequests, requestState } = (await call()).body.result;
  assert.equal(resultType, "input_required");
  const [key] = Object.keys(inputRequests);
  const inputResponses = { [key!]: { action: "accept", content: { name: "Bea" } } };

  const foreign = await call({ arguments: { kind: "roots" }, inputResponses, requestState });
  assert.equal(foreign.body.error.code, -32602);
  const without = (await call({ inputResponses: { other: {} }, requestState })).body.result;
  assert.deepEqual(without.inputRequests, inputRequests, "what is missing is asked again");
  const first = (await call({ inputResponses, requestState })).body.result;
  assert.match(textOf(first), /Bea/);
  const again = (await call({ inputResponses, requestState })).body.result;
  assert.deepEqual(again, first, "the request was sent again after its answer was lost");
});

const ADDRESS = "https://sign-in.example.com/y";

test("a server that requires addresses to be opened (-32042): its error for older clients, a question for newer ones", async (t) => {
  const served = await serve(t, { servers: [program("up")], connect: true });
  const required = (url = ADDRESS) => ({ name: "up__ask", arguments: { kind: "required", url } });

  const { body } = await served.post(
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: required() },
    { path: "/mcp/all" },
  );
  const [elicitation] = body.error.data.elicitations;
  assert.deepEqual(
    [body.error.code, elicitation.mode, elicitation.message, elicitation.url],
    [-32042, "url", "[up] Sign in", ADDRESS],
  );
  assert.notEqual(elicitation.elicitationId, "e-3");
  await ask(served, "tools/call", required());

  const asked = await ask(served, "tools/call", { ...required(), ...able({ elicitation: { url: {} } }) });
  assert.deepEqual(asked.body.result.inputRequests, {
    "address-1": { method: "elicitation/create", params: { mode: "url", message: "[up] Sign in", url: ADDRESS } },
  });
  const inputResponses = { "address-1": { action: "accept" } };
  const done = await ask(served, "tools/call", {
    ...required(),
    inputResponses,
    ...able({ elicitation: { url: {} } }),
  });
  assert.equal(textOf(done.body.result), "opened");

  const unable = await ask(served, "tools/call", { ...required(), ...able({ elicitation: { form: {} } }) });
  assert.deepEqual(
    [unable.status, unable.body.error.code, unable.body.error.data],
    [400, -32021, { requiredCapabilities: { elicitation: { url: {} } } }],
  );
  await ask(served, "tools/call", required());

  const open = await ask(served, "tools/call", required("http://sign-in.example.com/y"));
  assert.match(textOf(open.body.result), /which was not passed on: its address is neither https nor on this machine/);
});

test("a client learns that a person is done at an address, by the id that it knows", async (t) => {
  const served = await serve(t, { servers: [program("up"), program("other")], connect: true });
  const client = await older(served);
  const done: string[] = [];
  client.onCompleted((id) => done.push(id));

  await client.call("up__ask", { kind: "url" });
  const { elicitationId } = client.seen[0]!.params;
  const failure = await client.call("up__ask", { kind: "required", url: ADDRESS }).catch((error) => error);
  // Another server's report about an id that it was not given is none.
  await client.call("other__ask", { kind: "complete", id: "e-1" });
  await client.call("up__ask", { kind: "complete", id: "e-1" });
  await client.call("up__ask", { kind: "complete", id: "e-1" });
  await client.call("up__ask", { kind: "complete", id: "e-3" });

  await until("both are reported", () => done.length === 2);
  assert.deepEqual(done, [elicitationId, failure.data.elicitations[0].elicitationId]);
  await client.close();
});

test("16 questions of one call are passed on; an older server's others are cancelled, a newer server's result fails", async (t) => {
  const servers = [program("old"), program("new", "--era", "modern")];
  const served = await serve(t, { servers, connect: true });
  let cancelled = 0;
  for (const connect of Object.values(CLIENTS)) {
    const client = await connect(served);
    cancelled += 4;
    // An early answer would make room for another question.
    client.onAsked(() =>
      until("four questions are cancelled", async () => (await cancelledQuestions(served)) === cancelled),
    );
    const said: { action: string }[] = JSON.parse(textOf(await client.call("old__ask", { kind: "many", count: 20 })));
    assert.equal(client.seen.length, 16);
    assert.equal(said.filter(({ action }) => action === "cancel").length, 4);

    assert.equal(JSON.parse(textOf(await client.call("new__ask", { kind: "many", count: 16 }))).length, 16);
    const storm = await client.call("new__ask", { kind: "many", count: 17 });
    assert.match(textOf(storm), /it asks 17 questions at once; at most 16 are passed on/);
    assert.equal(client.seen.length, 32);
    await client.close();
  }
});

async function cancelledQuestions({ app }: Served): Promise<number> {
  const { records } = await app.store.activity.select({ type: ["question"] }, { limit: 100 });
  return records.filter(({ status }) => status === "blocked").length;
}

test("an answer counts from the session that was asked alone", async (t) => {
  const served = await serve(t, { servers: [program("up")], connect: true });
  const client = await older(served);
  let answered = false;
  client.onAsked(async (asked) => {
    const other = await older(served);
    await fetch(`${served.url}/mcp/all`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...other.headers(),
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: asked,
        result: { action: "accept", content: { name: "Eve" } },
      }),
    });
    await other.close();
    answered = true;
  });

  const said = await client.call("up__ask", { kind: "form" });

  assert.ok(answered);
  assert.match(textOf(said), /Amy/);
  await client.close();
});
