import assert from "node:assert/strict";
import { after } from "node:test";
import { closeBrowser, panelTest } from "#test/kit/browser.ts";
import { program } from "#test/kit/mcp.ts";

after(closeBrowser);

/** One of each kind. */
const WORLD = {
  connect: true,
  config: { update_check: { enabled: false } },
  servers: [
    program("github"),
    { ...program("notes"), trust_mode: "manual" as const },
    { name: "weather", url: "https://weather.example/mcp", enabled: false },
    { ...program("files"), quarantined: true },
    { name: "tickets", command: "no-such-program-here", args: ["--port", "1"], enabled: false },
  ],
};

panelTest("servers are listed with their state, found, filtered and sorted", WORLD, async (panel) => {
  const { page, open, accessible, pictures } = panel;
  await open("/servers");
  await page.getByRole("row").filter({ hasText: "github" }).getByText("Connected").waitFor();
  await page.getByRole("row").filter({ hasText: "files" }).getByText("Quarantined").waitFor();
  await accessible();
  await pictures("servers");
  await page.getByRole("searchbox", { name: "Search servers" }).fill("weather");
  await page.getByRole("row").filter({ hasText: "github" }).waitFor({ state: "detached" });
  assert.match(page.url(), /\?q=weather$/);
  await page.getByRole("searchbox", { name: "Search servers" }).fill("");
  await page.getByRole("button", { name: /^Off/ }).click();
  assert.equal(await page.locator("[data-row]").count(), 2);
});

panelTest("a server is switched off and, by Undo, on again", WORLD, async ({ page, open, app }) => {
  await open("/servers");
  await page.getByRole("button", { name: "What to do with github" }).click();
  await page.getByRole("menuitem", { name: "Switch off" }).click();
  await page.getByText("github is switched off").waitFor();
  await page.getByRole("row").filter({ hasText: "github" }).getByText("Off").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("row").filter({ hasText: "github" }).getByText("Connected").waitFor();
  assert.equal(app.config.server("github")?.enabled, true);
});

panelTest(
  "a removal names what is lost, and Undo brings the definition back, secrets included",
  {
    servers: [
      { name: "vault", command: "no-such-program-here", env: { API_TOKEN: "s3cret-value-0123456789" }, enabled: false },
    ],
  },
  async ({ page, open, app }) => {
    await open("/servers");
    await page.getByRole("button", { name: "What to do with vault" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByText("its definition leaves the configuration").waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("vault is removed").waitFor();
    assert.equal(app.config.server("vault"), undefined);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("vault is back").waitFor();
    assert.equal(app.config.server("vault")?.env?.API_TOKEN, "s3cret-value-0123456789");
  },
);

panelTest("a refusal is told, and what was shown ahead is taken back", WORLD, async ({ page, open, app }) => {
  await open("/servers");
  await app.config.update((draft) => {
    draft.read_only_mode = true;
  }, "test");
  await page.getByRole("button", { name: "What to do with github" }).click();
  await page.getByRole("menuitem", { name: "Switch off" }).click();
  await page.getByText("read_only_mode").waitFor();
  await page.getByRole("row").filter({ hasText: "github" }).getByText("Connected").waitFor();
});

panelTest(
  "ten thousand rows are scrolled and walked through by keyboard with a few in the page",
  {
    servers: Array.from({ length: 10_000 }, (_, i) => ({ name: `server-${i}`, command: "true", enabled: false })),
  },
  async ({ page, open }) => {
    await open("/servers");
    await page.locator("[data-row='0']").focus();
    const started = Date.now();
    await page.keyboard.press("End");
    await page.locator("[data-key='server-9999']").waitFor();
    assert.equal(await page.evaluate("document.activeElement.dataset.key"), "server-9999");
    for (let i = 0; i < 20; i++) await page.keyboard.press("ArrowUp");
    assert.equal(await page.evaluate("document.activeElement.dataset.key"), "server-9979");
    assert.ok((await page.locator("[data-row]").count()) < 100);
    assert.ok(Date.now() - started < 10_000);
  },
);
