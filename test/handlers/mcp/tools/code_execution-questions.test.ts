import assert from "node:assert/strict";
import { test } from "node:test";
import { CLIENTS } from "#test/kit/asked-client.ts";
import { jsonOf, program, serve, textOf } from "#test/kit/mcp.ts";

const script = (calls: string) => ({ code: `const said = ${calls}; said` });
const form = (server: string) => `call_tool("${server}", "ask", { kind: "form" })`;

test("tools that a script calls ask the script's client, whatever protocol versions the two have", async (t) => {
  const servers = [program("old"), program("new", "--era", "modern")];
  const config = { enable_code_execution: true };
  const served = await serve(t, { servers, config, connect: true });

  for (const [family, connect] of Object.entries(CLIENTS)) {
    const client = await connect(served, { path: "/mcp/code" });
    for (const server of ["old", "new"]) {
      client.seen.length = 0;

      const { ok, value } = jsonOf(await client.call("code_execution", script(form(server))));

      assert.deepEqual([ok, client.seen.length], [true, 1], `${family} ${server}`);
      assert.equal(client.seen[0]?.params.message, `[${server}] Your name?`);
      assert.match(textOf(value.result), /Amy/);
    }
    await client.close();
  }
});

test("the tools of one script ask side by side, and a script may ask again", async (t) => {
  const servers = [program("old"), program("new", "--era", "modern")];
  const config = { enable_code_execution: true };
  const served = await serve(t, { servers, config, connect: true });
  const requests = ["old", "new", "old"].map((server) => ({ server, tool: "ask", args: { kind: "form" } }));
  const twice = `[call_tools(${JSON.stringify(requests)}), ${form("old")}].flat()`;

  for (const connect of Object.values(CLIENTS)) {
    const client = await connect(served, { path: "/mcp/code" });
    const { value } = jsonOf(await client.call("code_execution", script(twice)));

    assert.equal(client.seen.length, 4);
    for (const { result } of value) assert.match(textOf(result), /Amy/);
    await client.close();
  }
});

test("a question ends with its script's run time", async (t) => {
  const served = await serve(t, { servers: [program("old")], config: { enable_code_execution: true }, connect: true });
  const client = await CLIENTS["2025"](served, { path: "/mcp/code" });
  client.onAsked(() => new Promise(() => {}));

  const result = await client.call("code_execution", { ...script(form("old")), options: { timeout_ms: 500 } });

  assert.equal(jsonOf(result).error.code, "TIMEOUT");
  const { records } = await served.app.store.activity.select({ type: ["question"] }, { limit: 10 });
  assert.equal(records[0]?.status, "error");
  await client.close();
});

test("a script over REST has nobody to ask: its tools hear so", async (t) => {
  const servers = [program("old"), program("new", "--era", "modern")];
  const served = await serve(t, { servers, config: { enable_code_execution: true }, connect: true });
  const run = async (server: string) => {
    const response = await fetch(`${served.url}/api/v1/code/exec`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": served.key },
      body: JSON.stringify(script(form(server))),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
    const body = (await response.json()) as any;
    return body.value ?? body.data?.value ?? body.result;
  };

  assert.match(textOf((await run("old")).result), /cancel/);
  assert.match(
    (await run("new")).error.message,
    /asks for input, and this caller cannot be asked; call it from an MCP client/,
  );
});
