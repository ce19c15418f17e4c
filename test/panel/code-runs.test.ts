import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Panel, panelTest } from "#test/kit/browser.ts";
import { program } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

const WORLD = {
  connect: true,
  config: { update_check: { enabled: false }, enable_code_execution: true },
  servers: [program("github"), program("notes")],
};

/** Writes into the editor, in place of what is there. */
async function write({ page }: Panel, text: string): Promise<void> {
  const editor = page.getByRole("textbox", { name: "Code" });
  await editor.focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  if (text !== "") await page.keyboard.insertText(text);
}

panelTest("an error stands at its line, in the author's own TypeScript", WORLD, async (panel) => {
  const { page, open } = panel;
  await open("/code");
  await page.getByRole("button", { name: "TypeScript" }).click();
  await write(panel, "type A = {\n  b: number;\n};\nconst a = null as unknown as A;\na.b.toFixed();\n");
  await page.keyboard.press("Control+Enter");
  await page.getByText("RUNTIME_ERROR").waitFor();
  await page.getByLabel("Stack").getByText("script.ts:5").waitFor();
  const mark = page.locator(".cm-lintRange-error");
  await mark.waitFor();
  assert.match((await mark.textContent()) ?? "", /^a\.b|toFixed|b/);
  await write(panel, "let = = 1;");
  await page.keyboard.press("Control+Enter");
  await page.getByText("RUNTIME_ERROR").waitFor({ state: "detached" });
  await page.locator(".error-text").waitFor();
});

panelTest("a run is cancelled, and its calls with it", WORLD, async (panel) => {
  const { page, open, app } = panel;
  await open("/code");
  await write(panel, 'call_tool("github", "slow", { ms: 60000 });');
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await until("the call is out", () => app.upstreams.get("github")?.status() !== undefined);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("The script was stopped").waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
});

panelTest("stored scripts are listed with what is wrong with them, and run", WORLD, async (panel) => {
  const { page, open, app, accessible } = panel;
  const dir = join(app.dir, "scripts");
  mkdirSync(dir);
  writeFileSync(join(dir, "double.ts"), "const n: number = input.n;\nreturn n * 2;");
  writeFileSync(join(dir, "empty.js"), "");
  await open("/code");
  await page.getByRole("listitem").filter({ hasText: "empty" }).locator(".badge").waitFor();
  await page.getByLabel("Global variable input").fill('{ "n": 21 }');
  await page.getByRole("button", { name: "Run double" }).click();
  await page.getByLabel("Result", { exact: true }).getByText("42").waitFor();
  await accessible();
});

panelTest(
  "where code execution is off, the page says so and leads to the switch",
  { config: { enable_code_execution: false } },
  async ({ page, open }) => {
    await open("/code");
    await page.getByText("Code execution is off").waitFor();
    await page.getByRole("link", { name: "Configuration" }).last().waitFor();
  },
);
