import assert from "node:assert/strict";
import { after } from "node:test";
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { closeBrowser, panelTest } from "#test/kit/browser.ts";
import { program } from "#test/kit/mcp.ts";

after(closeBrowser);

const WORLD = { connect: true, config: { update_check: { enabled: false } }, servers: [program("github")] };

panelTest(
  "clients stand there with what they did, as soon as they come, and as closed once they left",
  WORLD,
  async (panel) => {
    const { page, open, client, accessible, pictures } = panel;
    await open("/sessions");
    await page.getByText("No client has called a tool yet").waitFor();
    await accessible();
    const one = await client("/mcp/call");
    const two = await client("/mcp/all");
    await two.callTool({ name: "github__echo", arguments: { message: "hello" } });
    await page.getByRole("row").filter({ hasText: "every tool" }).getByText("Active").waitFor();
    await one.callTool({
      name: "call_tool_read",
      arguments: { name: "github:echo", args: {}, intent: { operation_type: "read" } },
    });
    await (one.transport as StreamableHTTPClientTransport).terminateSession();
    await page.getByRole("row").filter({ hasText: "tools by search" }).getByText("Closed").waitFor({ timeout: 60_000 });
    await accessible();
    await pictures("sessions");
    await page.getByRole("button", { name: "Active" }).click();
    assert.match(page.url(), /show=active$/);
    await page.getByRole("row").filter({ hasText: "every tool" }).click();
    await page.getByRole("heading", { name: "test-client" }).waitFor();
    await page.getByRole("row").filter({ hasText: "echo" }).filter({ hasText: "test-client" }).first().waitFor();
    await accessible();
    await pictures("session");
    await page.getByRole("row").filter({ hasText: "echo" }).first().click();
    await page.getByRole("heading", { name: "echo", exact: true }).waitFor();
    await page.getByRole("link", { name: /^[a-z0-9]{32}$/ }).click();
    await page.getByRole("heading", { name: "test-client" }).waitFor();
    await open("/sessions/none-of-these");
    await page.getByText("Loading failed").waitFor();
  },
);
