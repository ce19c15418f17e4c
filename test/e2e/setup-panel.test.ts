import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { closeBrowser, panelTest } from "#test/kit/browser.ts";
import { MAX_SETUP_DECISIONS, MAX_SETUP_SECONDS, sixServers } from "#test/kit/six-servers.ts";

after(closeBrowser);

const six = sixServers();

panelTest(
  `six servers of Cursor in the panel: from the first page to the first call by the client in ${MAX_SETUP_SECONDS} s and ${MAX_SETUP_DECISIONS} decisions`,
  { connect: true, config: { update_check: { enabled: false } }, ...(six.skip && { skip: six.skip }) },
  async ({ app, page, open }, t) => {
    const file = join(app.dir, ".cursor", "mcp.json");
    const before = `${JSON.stringify({ mcpServers: six.servers(app.dir) }, null, 2)}\n`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, before);
    let decisions = 0;
    const press = async (name: string | RegExp) => {
      decisions++;
      await page.getByRole("button", { name }).click();
    };

    const from = Date.now();
    await open("/");
    decisions++;
    await page.getByRole("link", { name: "Set up from Cursor" }).click();
    await press("Import 6 servers");
    await press(/ and release 6 servers$/);
    await press("Connect 1 client");
    await page.getByRole("heading", { name: "Setup is complete" }).waitFor();
    const { mcpServers } = JSON.parse(readFileSync(file, "utf8"));
    assert.deepEqual(Object.keys(mcpServers), ["mcpproxy"]);
    const client = new Client({ name: "cursor", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(mcpServers.mcpproxy.url)));
    t.after(() => client.close());
    const result = await client.callTool({
      name: "call_tool_read",
      arguments: { name: "memory:read_graph", args: {}, intent: { operation_type: "read" } },
    });
    const seconds = Math.round((Date.now() - from) / 1000);

    assert.notEqual(result.isError, true, JSON.stringify(result));
    t.diagnostic(`${seconds} s, ${decisions} decisions`);
    assert.ok(decisions <= MAX_SETUP_DECISIONS, `${decisions} decisions`);
    assert.ok(seconds <= MAX_SETUP_SECONDS, `${seconds} s`);
    assert.ok(!JSON.stringify(app.config.file()).includes("ghp_"));
    await page.locator(".toast", { hasText: "Cursor uses the proxy" }).getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Connect 1 client" }).waitFor();
    assert.equal(readFileSync(file, "utf8"), before);
  },
);
