import assert from "node:assert/strict";
import { becomes, panelTest } from "#test/kit/browser.ts";

const WORLD = { connect: false, signedIn: false };

panelTest("the documentation is searched by word, and the result opens at its section", WORLD, async (panel) => {
  const { page, url, accessible, pictures } = panel;
  await page.goto(`${url}/docs/guide/`);
  await pictures("documentation-start");
  await page.keyboard.press("/");
  await page.keyboard.type("server_failing");
  const first = page.locator("#results a").first();
  await becomes(() => first.locator("strong").textContent(), "server_failing");
  await accessible();
  await pictures("documentation-search");

  await page.keyboard.press("Enter");

  await becomes(async () => new URL(page.url()).hash, "#server_failing");
  assert.equal(new URL(page.url()).pathname, "/docs/guide/troubleshooting.html");
  await accessible();
});

panelTest("words that are nowhere have no result, Escape clears them, and arrows choose", WORLD, async (panel) => {
  const { page, url } = panel;
  await page.goto(`${url}/docs/guide/faq.html`);
  const input = page.getByRole("combobox");
  await input.fill("xyzzyqwert");
  await becomes(() => page.locator("#results").textContent(), "Nothing found for “xyzzyqwert”.");
  await page.keyboard.press("Escape");
  assert.equal(await input.inputValue(), "");
  assert.equal(await page.locator("#results").isVisible(), false);

  await input.fill("quarantine");
  await becomes(async () => (await page.locator("#results a").count()) > 2, true);
  await page.keyboard.press("ArrowDown");
  const selected = page.locator('#results a[aria-selected="true"]');
  assert.equal(await selected.getAttribute("id"), "result-1");
  await page.keyboard.press("ArrowUp");
  assert.equal(await selected.getAttribute("id"), "result-0");
});

panelTest("no page of the documentation is wider than a phone, and the theme is kept", WORLD, async (panel) => {
  const { page, url, accessible, pictures } = panel;
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${url}/docs/guide/`);
  const names = await page.locator(".menu a").evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
  assert.ok(names.length > 40);
  for (const name of names) {
    await page.goto(`${url}/docs/guide/${name}`);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360, name);
  }
  await page.goto(`${url}/docs/guide/configuration.html`);
  await accessible();
  await pictures("documentation-configuration");

  await page.getByRole("button", { name: "Theme: auto" }).click();
  await page.reload();
  assert.equal(await page.locator("html").getAttribute("data-theme"), "light");
});
