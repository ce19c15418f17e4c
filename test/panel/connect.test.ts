import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { panelTest } from "#test/kit/browser.ts";
import { CURSOR } from "#test/kit/connect.ts";

/** Puts a file of Cursor where the app looks for it. */
function cursorFile(dir: string, text = CURSOR): string {
  const file = join(dir, ".cursor", "mcp.json");
  mkdirSync(join(dir, ".cursor"), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const WORLD = { config: { listen: "127.0.0.1:0", update_check: { enabled: false } } };

panelTest(
  "a client is connected as its preview said, and Undo puts the file back byte for byte",
  { ...WORLD, host: "localhost" },
  async (panel) => {
    const { app, page, open, accessible, pictures } = panel;
    const file = cursorFile(app.dir);
    await open("/connect");
    const row = page.getByRole("listitem").filter({ hasText: "Cursor" });
    await row.getByText("Not connected").waitFor();
    assert.equal(await page.getByRole("button", { name: "Check state" }).count(), 0);
    // For other clients: the address at which this browser reaches the proxy.
    await page.getByText(`${new URL(page.url()).origin}/mcp`, { exact: true }).waitFor();
    await accessible();
    await pictures("connect");
    await row.getByRole("link", { name: "Connect Cursor" }).click();
    await page
      .getByRole("group", { name: /^Changes in/ })
      .getByText("mcpproxy")
      .waitFor();
    assert.equal(readFileSync(file, "utf8"), CURSOR);
    assert.ok(!(await page.content()).includes("s3cr3t-value-of-other"));
    await accessible();
    await pictures("connect-preview");
    await page.getByRole("button", { name: "Connect Cursor" }).click();
    await page.getByRole("heading", { name: "Cursor is connected" }).waitFor();
    assert.match(readFileSync(file, "utf8"), /"mcpproxy"/);
    await accessible();
    await pictures("connect-done");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("is restored").waitFor();
    assert.equal(readFileSync(file, "utf8"), CURSOR);
    await page.getByRole("button", { name: "Connect Cursor" }).waitFor();
  },
);

panelTest("a preview that is old writes nothing and is made anew", WORLD, async ({ app, page, open }) => {
  const file = cursorFile(app.dir);
  await open("/connect/cursor");
  await page.getByRole("button", { name: "Connect Cursor" }).waitFor();
  const changed = CURSOR.replace('"PIN": "12"', '"PIN": "13"');
  writeFileSync(file, changed);
  await page.getByRole("button", { name: "Connect Cursor" }).click();
  await page.getByText("changed after this preview").waitFor();
  assert.equal(readFileSync(file, "utf8"), changed);
  await page.getByRole("button", { name: "Connect Cursor" }).click();
  await page.getByRole("heading", { name: "Cursor is connected" }).waitFor();
  assert.match(readFileSync(file, "utf8"), /"mcpproxy"/);
});

panelTest("an entry that uses another endpoint is replaced, and taken out by Disconnect", WORLD, async (panel) => {
  const { app, page, open, accessible } = panel;
  const file = cursorFile(app.dir, '{"mcpServers":{"mcpproxy":{"url":"http://127.0.0.1:9999/mcp"}}}');
  await open("/connect/cursor");
  await page.getByText("The entry mcpproxy uses another endpoint").waitFor();
  await accessible();
  await page.getByRole("button", { name: "Replace the entry" }).click();
  await page.getByRole("heading", { name: "Cursor is connected" }).waitFor();
  await open("/connect/cursor");
  await page.getByText("Cursor uses this proxy").waitFor();
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("dialog").getByText("revokes the agent token").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await page.getByText("was removed").waitFor();
  assert.ok(!readFileSync(file, "utf8").includes("mcpproxy"));
});

panelTest("what cannot be read says why, and is not written", WORLD, async ({ app, page, open, accessible }) => {
  const file = cursorFile(app.dir, '{"mcpServers": ');
  await open("/connect");
  await page.getByRole("link", { name: "Show why Cursor" }).waitFor();
  await open("/connect/cursor");
  await page.getByText("The file is malformed").waitFor();
  await accessible();
  assert.equal(await page.getByRole("button", { name: "Connect Cursor" }).count(), 0);
  writeFileSync(file, CURSOR);
  if (process.getuid?.() !== 0) {
    chmodSync(file, 0o000);
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("The operating system denies access to this file").waitFor();
    chmodSync(file, 0o600);
  }
  await page.getByRole("button", { name: "Refresh" }).first().click();
  await page.getByRole("button", { name: "Connect Cursor" }).waitFor();
});

panelTest("a client without a file gets one, which Undo deletes", WORLD, async ({ app, page, open }) => {
  await open("/connect?q=cursor");
  await page.getByText("No clients match").waitFor();
  await page.getByRole("link", { name: "Cursor", exact: true }).click();
  await page.getByRole("button", { name: "Connect Cursor" }).click();
  await page.getByRole("heading", { name: "Cursor is connected" }).waitFor();
  const file = join(app.dir, ".cursor", "mcp.json");
  assert.ok(existsSync(file));
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("was deleted").waitFor();
  assert.ok(!existsSync(file));
});
