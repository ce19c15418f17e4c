import assert from "node:assert/strict";
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { panelTest } from "#test/kit/browser.ts";
import { program } from "#test/kit/mcp.ts";

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

panelTest("sessions of the same client are one row, which opens to each of them", WORLD, async (panel) => {
  const { page, open, client, accessible } = panel;
  for (const number of [1, 2]) {
    const one = await client("/mcp/all");
    for (let i = 0; i < number; i++) await one.callTool({ name: "github__echo", arguments: {} });
  }
  await open("/sessions");
  const row = page.getByRole("row").filter({ hasText: "test-client" });
  await row.filter({ hasText: "2 sessions" }).waitFor();
  assert.equal(await row.count(), 1);
  await row.getByRole("gridcell", { name: "3", exact: true }).waitFor();
  await accessible();
  await row.click();
  await page.locator("[data-row='1']").waitFor();
  assert.equal(await page.getByText("2 sessions").count(), 0);
  await page.getByRole("button", { name: "All clients" }).click();
  await row.filter({ hasText: "2 sessions" }).waitFor();
  await row.click();
  await page.locator("[data-row='1']").click();
  await page.getByRole("heading", { name: "test-client" }).waitFor();
});
