import assert from "node:assert/strict";
import { TEST_KEY } from "#test/kit/app.ts";
import { becomes, panelTest } from "#test/kit/browser.ts";
import { program } from "#test/kit/mcp.ts";

panelTest("a browser without a session is asked for the key, once", { signedIn: false }, async (panel) => {
  const { page, url, accessible, pictures, context } = panel;
  await page.goto(`${url}/ui/`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await accessible();
  await pictures("sign-in");
  await page.getByLabel("Or enter the API key").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("this is not the API key of this proxy").waitFor();
  await page.getByLabel("Or enter the API key").fill(TEST_KEY);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  assert.equal(await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])"), '[{},{},""]');
  const [cookie] = await context.cookies();
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, "Strict"]);
  await page.reload();
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});

panelTest("a link signs in, and its code is gone from the address", {}, async ({ page }) => {
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  assert.ok(!page.url().includes("#"), page.url());
});

panelTest(
  "the frame: pages and servers are found by keyboard, the colours are switched, the proxy's absence is told",
  { connect: true, servers: [program("alpha")] },
  async ({ page, open, accessible }) => {
    await open("/");
    await accessible();
    await page.keyboard.press("/");
    await page.getByRole("combobox").fill("alp");
    await page.getByRole("option", { name: "alpha" }).first().waitFor();
    await accessible();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("t");
    await page.keyboard.press("t");
    await becomes(() => page.evaluate("document.documentElement.dataset.theme"), "dark");
    await accessible();
    await page.getByText("Live").waitFor();
    await page.route("**/events?*", (route) => route.fulfill({ status: 503 }));
    // The panel then opens its event stream again, which fails.
    await page.evaluate("dispatchEvent(new Event('online'))");
    await page.getByText("The proxy does not respond.").waitFor();
    await page.unroute("**/events?*");
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("The proxy does not respond.").waitFor({ state: "detached" });
  },
);

panelTest(
  "search finds tools, settings and activity, and runs actions; a list is entered by an arrow",
  { connect: true, servers: [program("alpha")] },
  async ({ page, open, pictures }) => {
    const find = async (text: string, option: string | RegExp) => {
      await page.keyboard.press("/");
      await page.getByRole("combobox", { name: "Search pages" }).fill(text);
      await page.getByRole("option", { name: option }).first().click();
    };
    await open("/");
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.getByRole("row").filter({ hasText: "alpha" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "alpha" }).waitFor();
    await page.keyboard.press("/");
    await page.getByRole("combobox").fill("note");
    await page.getByRole("option", { name: "alpha:write_note" }).waitFor();
    await pictures("search");
    await page.getByRole("option", { name: "alpha:write_note" }).click();
    await page.getByRole("heading", { name: "write_note" }).waitFor();
    await find("call timeout", "Tool call timeout");
    await page.getByLabel("Tool call timeout", { exact: true }).waitFor();
    await find("cursor connect", "Connect Cursor");
    await page.getByRole("heading", { name: "Cursor" }).waitFor();
    await find("failed calls", "Failed calls");
    await page.waitForURL(/activity\?status=error/);
    await find("write_note", "Activity of the tool write_note");
    await page.waitForURL(/activity\?tool=write_note/);
    await find("restart alp", "Restart alpha");
    await page.getByText("alpha is reconnecting").waitFor();
    await find("req-12345678", "Activity of the request req-12345678");
    await page.waitForURL(/activity\?request=req-12345678/);
  },
);

panelTest(
  "at 360 px the navigation is a drawer that opens and closes by keyboard",
  {},
  async ({ page, open, accessible }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open("/");
    await becomes(() => page.locator(".side").isVisible(), false);
    await page.getByRole("button", { name: "Navigation" }).press("Enter");
    await page.locator(".side").getByRole("link", { name: "Overview", exact: true }).waitFor();
    await accessible();
  },
);

panelTest("an address that no page has says so", {}, async ({ page, open }) => {
  await open("/nothing/here");
  await page.getByText("This page does not exist").waitFor();
});

panelTest(
  "a session that ends elsewhere leads to the sign-in, not to a proxy that is away",
  {},
  async ({ page, app }) => {
    await page.getByRole("heading", { name: "Welcome" }).waitFor();
    await app.store.signIns.remove(app.store.signIns.all().map((row) => row.hash));
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await becomes(() => page.evaluate("document.activeElement.name"), "key");
  },
);

panelTest(
  "a dialog returns the focus to the button that opened it",
  { connect: true, servers: [{ ...program("alpha"), quarantined: true }] },
  async ({ page, open }) => {
    await open("/servers/alpha");
    await page.locator("main").getByRole("button", { name: "Release" }).press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await becomes(() => page.evaluate("document.activeElement.textContent"), "Release");
  },
);

panelTest("the keyboard reaches the content past the navigation", {}, async ({ page, open }) => {
  await open("/");
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await becomes(() => page.evaluate("document.activeElement.id"), "main");
  assert.ok(!page.url().includes("#"), page.url());
});

let runs = 0;
panelTest(
  "a test is run again if the browser lost its connections because the network of the machine changed",
  { signedIn: false },
  async ({ page }) => {
    runs++;
    if (runs === 1) await page.evaluate(`console.error("Failed to load resource: net::ERR_NETWORK_CHANGED")`);
  },
);
