import assert from "node:assert/strict";
import { test } from "node:test";
import { CACHED_ANSWER_MS, createCachedAnswers, slicePieces } from "#lib/core/mcp/cached-answers.ts";
import { handClock } from "#test/kit/clock.ts";
import { program, serve, textOf } from "#test/kit/mcp.ts";
import { issue, shows } from "#test/kit/token.ts";

const READ = { intent: { operation_type: "read" } };
const LONG = `begin ${"0123456789".repeat(1000)} 🙂 end`;

test("an answer beyond the limit is cut, says so, and is read to its end, byte for byte", async (t) => {
  const { client } = await serve(t, { servers: [program("up")], connect: true, config: { tool_response_limit: 3000 } });
  const mcp = await client();
  const call = (name: string, args: Record<string, unknown>) => mcp.callTool({ name, arguments: args });
  const sent = JSON.stringify({ text: LONG });

  const first = await call("call_tool_read", { name: "up:echo", args_json: sent, ...READ });

  const { key, total, next_offset } = (first._meta as { "proxy/cut": Record<string, never> })["proxy/cut"];
  assert.deepEqual([total, next_offset, textOf(first).length], [sent.length, 3000, 3000]);
  const blocks = first.content as { text: string }[];
  assert.match(blocks.at(-1)!.text, new RegExp(`first 3000 of ${sent.length} characters.*read_cache.*"offset":3000`));
  let whole = textOf(first);
  for (let offset: number | undefined = next_offset; offset !== undefined; ) {
    const part = await call("read_cache", { key, offset });
    whole += textOf(part);
    offset = (part._meta as { "proxy/cut": { next_offset?: number } })["proxy/cut"].next_offset;
  }
  assert.equal(whole, sent);
  assert.match(textOf(await call("read_cache", { key, offset: 1e6 })), /beyond the end/);
  assert.match(textOf(await call("read_cache", { key: "nothing" })), /no stored result has this key/);
});

test("a short answer, and every answer without a limit, passes as it came", async (t) => {
  const { client, app } = await serve(t, {
    servers: [program("up")],
    connect: true,
    config: { tool_response_limit: 3000 },
  });
  const mcp = await client();
  const echo = (args: object) =>
    mcp.callTool({ name: "call_tool_read", arguments: { name: "up:echo", args: { ...args }, ...READ } });

  assert.equal(textOf(await echo({ a: 1 })), '{"a":1}');
  await app.config.update((draft) => {
    draft.tool_response_limit = 0;
  }, "test");
  assert.equal(textOf(await echo({ text: LONG })), JSON.stringify({ text: LONG }));
  assert.ok(!(await mcp.listTools()).tools.some(({ name }) => name === "read_cache"), "nothing to read, so not listed");
});

test("direct mode answers as the upstream did, since its clients check results against the listed schema", async (t) => {
  const { client } = await serve(t, { servers: [program("up")], connect: true, config: { tool_response_limit: 3000 } });

  const answer = await (await client("/mcp/all")).callTool({ name: "up__echo", arguments: { text: LONG } });

  assert.equal(textOf(answer), JSON.stringify({ text: LONG }));
});

test("nobody reads another caller's answer, nor one of a server that was taken from the caller", async (t) => {
  const { client, app } = await serve(t, {
    servers: [program("up")],
    connect: true,
    config: { tool_response_limit: 3000 },
  });
  const one = await client("/mcp/call", shows(await issue(app, { name: "one", permissions: ["read"] })));
  const other = await client("/mcp/call", shows(await issue(app, { name: "other", permissions: ["read"] })));
  const cut = await one.callTool({
    name: "call_tool_read",
    arguments: { name: "up:echo", args: { text: LONG }, ...READ },
  });
  const { key } = (cut._meta as { "proxy/cut": { key: string } })["proxy/cut"];
  const read = async (mcp: typeof one) => (await mcp.callTool({ name: "read_cache", arguments: { key } })).isError;

  assert.equal(await read(one), undefined);
  assert.equal(await read(other), true);
  await app.config.update((draft) => {
    draft.mcpServers[0]!.quarantined = true;
  }, "test");
  assert.equal(await read(one), true);
});

test("kept answers end after a while, and one caller keeps a few only", async () => {
  const clock = handClock();
  const answers = createCachedAnswers(clock);
  const answer = (owner: string) => ({ owner, server: "git", pieces: ["x"], length: 1 });
  const others = answers.keep(answer("b"));
  const first = answers.keep(answer("a"));
  for (let i = 0; i < 20; i++) answers.keep(answer("a"));

  assert.equal(answers.get(first), undefined);
  assert.equal(answers.get(others)?.owner, "b");
  await clock.advance(CACHED_ANSWER_MS + 1);
  assert.equal(answers.get(others), undefined);
});

test("kept answers are bounded together: the oldest go first", () => {
  const answers = createCachedAnswers(handClock());
  const large = (owner: string) => answers.keep({ owner, server: "git", pieces: [], length: 30 * 1024 * 1024 });
  const [first, second, third] = [large("a"), large("b"), large("c")];

  assert.deepEqual(
    [first, second, third].map((key) => answers.get(key) !== undefined),
    [false, true, true],
  );
});

test("parts of a text in pieces are those of the joined text, and no character is halved", () => {
  const pieces = ["abc", "", "d🙂e", "f"];

  assert.equal(slicePieces(pieces, 0, 2), "ab");
  assert.equal(slicePieces(pieces, 2, 4), "cd");
  assert.equal(slicePieces(pieces, 0, 5), "abcd", "the first half of a character is left for the next part");
  assert.equal(slicePieces(pieces, 4, 100), "🙂ef");
});
