import assert from "node:assert/strict";
import { after } from "node:test";
import { notifications } from "#lib/modules/notifications/state.ts";
import { closeBrowser, panelTest } from "#test/kit/browser.ts";
import { until } from "#test/kit/until.ts";

after(closeBrowser);

const WORLD = {
  connect: true,
  config: {
    update_check: { enabled: false },
    notifications: {
      channels: [{ name: "ops", type: "slack", url: "https://127.0.0.1:1/services/secret-path" }],
    },
    sinks: [{ name: "archive", type: "file" }],
  },
};

panelTest(
  "the page lists channels and sinks, and tests each; a failure names no secret",
  WORLD,
  async ({ app, page, open, accessible, pictures }) => {
    await until("the channel runs", () => app.part(notifications).list()[0]!.state !== "disabled");
    await open("/notifications");
    await page.getByRole("button", { name: "Test archive" }).click();
    await page.getByText("archive accepted a test record").waitFor();
    await accessible();
    await pictures("notifications");

    await page.getByRole("button", { name: "Test ops" }).click();
    await page.getByText(/outbound_allow/).waitFor();
    assert.ok(!(await page.content()).includes("secret-path"));
  },
);
