import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { freePort } from "#test/kit/free-port.ts";
import { call } from "#test/kit/http.ts";
import { program, type Served, serve } from "#test/kit/mcp.ts";
import { TestBrowser, WITH_SIGN_IN } from "#test/kit/oauth.ts";
import { folder, startCommand } from "#test/kit/program.ts";

/** Whole programs that nobody here wrote sign in with the URL alone; a person's browser follows the link that they print. */
const installed = process.env.PROXY_REAL_CLIENTS;
const skip =
  installed && existsSync(join(installed, "complete"))
    ? false
    : "NOT RUN: no real clients; set PROXY_REAL_CLIENTS=$(test/npm/install.sh clients)";
const modules = join(installed ?? "", "node_modules");

const WORLD = { ...WITH_SIGN_IN, connect: true, servers: [program("alpha"), program("beta")] };

/** The link that a client prints because it cannot open a browser. */
const LINK = /http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?\S+/;

/** An environment in which opening a browser does nothing. */
function withoutBrowser(t: TestContext): Record<string, string> {
  const home = folder(t);
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "xdg-open"), "#!/bin/sh\n", { mode: 0o755 });
  return {
    HOME: home,
    PATH: bin + delimiter + (process.env.PATH ?? ""),
    MCP_REMOTE_CONFIG_DIR: home,
    MCP_AUTO_OPEN_ENABLED: "true",
  };
}

/** The person opens the link, allows the server `alpha`, and the browser returns to the client. */
async function allow({ url }: Served, link: string): Promise<void> {
  const back = await new TestBrowser(url).allow(link, { servers: ["alpha"], permissions: ["read"] });
  const page = await fetch(back);
  assert.equal(page.status, 200, await page.text());
}

async function grantedTo({ app }: Served): Promise<unknown> {
  const [token, ...others] = (await call(app, "GET /api/v1/tokens", {})).tokens;
  assert.equal(others.length, 0);
  return [token?.allowed_servers, token?.permissions, typeof token?.client?.name];
}

test("mcp-remote signs in, lists and calls", { skip }, async (t) => {
  const served = await serve(t, WORLD);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(modules, "mcp-remote/dist/proxy.js"), `${served.url}/mcp/all`, String(await freePort())],
    env: withoutBrowser(t),
    stderr: "pipe",
  });
  const client = new Client({ name: "behind mcp-remote", version: "1" });
  t.after(() => client.close());
  let said = "";
  const link = new Promise<string>((done) => {
    transport.stderr?.on("data", (text) => {
      said += text;
      const found = LINK.exec(said);
      if (found) done(found[0]);
    });
  });

  const connected = client.connect(transport as Parameters<Client["connect"]>[0]);
  await Promise.race([allow(served, await link), connected.then(() => assert.fail("it asked nobody"))]);
  await connected;

  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === "alpha__echo"));
  assert.ok(!tools.some(({ name }) => name.startsWith("beta__")));
  const result = await client.callTool({ name: "alpha__echo", arguments: { text: "over mcp-remote" } });
  assert.match(JSON.stringify(result), /over mcp-remote/);
  assert.deepEqual(await grantedTo(served), [["alpha"], ["read"], "string"]);
});

test("the inspector's command line signs in and lists", { skip }, async (t) => {
  const served = await serve(t, WORLD);
  const inspector = startCommand(
    t,
    [
      process.execPath,
      join(modules, "@modelcontextprotocol/inspector/clients/cli/build/index.js"),
      `${served.url}/mcp/all`,
      ...["--transport", "http", "--method", "tools/list"],
      ...["--callback-url", `http://127.0.0.1:${await freePort()}/oauth/callback`],
    ],
    { env: withoutBrowser(t) },
  );

  const [link] = await inspector.says(LINK);
  await allow(served, link);

  const { code, out, err } = await inspector.ended;
  assert.equal(code, 0, err);
  assert.match(out, /"alpha__echo"/);
  assert.doesNotMatch(out, /"beta__/);
  assert.deepEqual(await grantedTo(served), [["alpha"], ["read"], "string"]);
});
