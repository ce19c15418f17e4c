import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client as NewerClient, StreamableHTTPClientTransport as NewerTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { able, ask } from "#test/kit/era.ts";
import { program, type Served, serve, textOf } from "#test/kit/mcp.ts";
import { startProgram } from "#test/kit/upstream.ts";

const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** What the client says to each kind of question; what it was asked is put into `seen`. */
const ANSWERS = {
  "elicitation/create": { action: "accept", content: { name: "Amy" } },
  "sampling/createMessage": { role: "assistant", content: { type: "text", text: "4" }, model: "m" },
  "roots/list": { roots: [{ uri: "file:///work" }] },
} as const;

interface Asked {
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: questions of every shape are looked into
  params?: any;
}

interface Caller {
  seen: Asked[];
  call(name: string, args: object): Promise<object>;
  close(): Promise<void>;
}

/** The official client of the first generation, which speaks 2025-11-25. */
async function older({ url }: Served, capabilities = CAPABILITIES): Promise<Caller> {
  const client = new Client({ name: "older", version: "1" }, { capabilities });
  const seen: Asked[] = [];
  const take = (request: Asked) => {
    seen.push(request);
    const { params, method } = request;
    const said = ANSWERS[method as keyof typeof ANSWERS];
    return params?.mode === "url" ? { action: "accept" } : said;
  };
  for (const schema of [ElicitRequestSchema, CreateMessageRequestSchema, ListRootsRequestSchema])
    client.setRequestHandler(schema as typeof ElicitRequestSchema, (request) => take(request) as never);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp/all`));
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return {
    seen,
    call: (name, args) => client.callTool({ name, arguments: { ...args } }),
    close: () => client.close(),
  };
}

/** The official client of the second generation, in 2026-07-28. */
async function newer({ url }: Served): Promise<Caller> {
  const options = { capabilities: CAPABILITIES, versionNegotiation: { mode: { pin: "2026-07-28" } } };
  const client = new NewerClient({ name: "newer", version: "2" }, options as never);
  const seen: Asked[] = [];
  for (const [method, said] of Object.entries(ANSWERS))
    client.setRequestHandler(
      method as never,
      ((request: Asked) => {
        seen.push(request);
        return request.params?.mode === "url" ? { action: "accept" } : said;
      }) as never,
    );
  await client.connect(new NewerTransport(new URL(`${url}/mcp/all`)));
  return {
    seen,
    call: (name, args) => client.callTool({ name, arguments: { ...args } }),
    close: () => client.close(),
  };
}

const CLIENTS = { "2025": older, "2026": newer };
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

/** Servers of both families, by both transports. */
async function servers() {
  const old = await startProgram("upstream-http.mjs", "--name", "old-http");
  const next = await startProgram("upstream-http.mjs", "--name", "new-http", "--era", "modern");
  programs.push(old, next);
  return [
    program("old-stdio"),
    program("new-stdio", "--era", "modern"),
    { name: "old-http", url: old.url, trust_mode: "auto" as const },
    { name: "new-http", url: next.url, trust_mode: "auto" as const },
  ];
}

test("each client is asked by each server, whatever the protocol version and the transport", async (t) => {
  const served = await serve(t, { servers: await servers(), connect: true });

  for (const [family, connect] of Object.entries(CLIENTS)) {
    const client = await connect(served);
    for (const server of ["old-stdio", "new-stdio", "old-http", "new-http"])
      for (const kind of KINDS) {
        const row = `client ${family}, ${server}, ${kind}`;
        client.seen.length = 0;

        const result = await client.call(`${server}__ask`, { kind });

        assert.equal(client.seen.length, 1, row);
        const [question] = client.seen;
        assert.equal(question?.method, METHODS[kind], row);
        if (METHODS[kind] === "elicitation/create")
          assert.equal(question?.params.message, `[${server}] ${kind === "url" ? "Sign in" : "Your name?"}`, row);
        const said = JSON.parse(textOf(result));
        if (kind === "url") assert.equal(said.action, "accept", row);
        else if (kind === "form") assert.deepEqual(said.content, { name: "Amy" }, row);
        else if (kind === "sampling") assert.equal(said.content.text, "4", row);
        else assert.equal(said.roots[0].uri, "file:///work", row);
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
  const { records } = served.app.store.activity.page({ type: ["question"] }, 10, 0);
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
