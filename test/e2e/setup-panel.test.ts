import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { panelTest } from "#test/kit/browser.ts";
import { callRead, connectAsCursor, writeCursorFile } from "#test/kit/cursor.ts";
import { MAX_SETUP_DECISIONS, MAX_SETUP_SECONDS, sixServers } from "#test/kit/six-servers.ts";

const six = sixServers();

panelTest(
  `six servers of Cursor in the panel: from the first page to the first call by the client in ${MAX_SETUP_SECONDS} s and ${MAX_SETUP_DECISIONS} decisions`,
  { connect: true, config: { update_check: { enabled: false } }, ...(six.skip && { skip: six.skip }) },
  async ({ app, page, open }, t) => {
    const { file, text: before } = writeCursorFile(app.dir, six.servers(app.dir));
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
    // Entries of servers that are not released yet stay in the client.
    await page.getByText("No imported server waits for review.").waitFor();
    await press("Connect 1 client");
    await page.getByRole("heading", { name: "Setup is complete" }).waitFor();
    const result = await callRead(await connectAsCursor(t, file), "memory:read_graph");
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
