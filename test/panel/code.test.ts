import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { becomes, type Panel, panelTest } from "#test/kit/browser.ts";
import { program } from "#test/kit/mcp.ts";

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

const SCRIPT = `console.log("squaring", input.of.length);
const answers = call_tools(input.of.map((n) => ({ server: "notes", tool: "structured", args: { n } })));
call_tool("github", "slow", { ms: 50 });
return answers.map((a) => a.result.structuredContent.square);`;

panelTest("code is run with its input, and shows result, console and its calls as a timeline", WORLD, async (panel) => {
  const { page, open, accessible, pictures } = panel;
  await open("/code");
  await write(panel, SCRIPT);
  await page.getByLabel("Global variable input").fill("{");
  await page.getByText("not valid JSON").waitFor();
  await becomes(() => page.getByRole("button", { name: "Run", exact: true }).isDisabled(), true);
  await page.getByLabel("Global variable input").fill('{ "of": [2, 3, 12] }');
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByLabel("Result", { exact: true }).getByText("144").waitFor();
  await page.getByRole("heading", { name: "4 calls" }).waitFor();
  await page.getByLabel("Console", { exact: true }).getByText("squaring 3").waitFor();
  await accessible();
  await pictures("code");
  await page.getByRole("link", { name: "Record" }).click();
  await page.getByLabel("Code", { exact: true }).getByText("call_tools").waitFor();
});

panelTest(
  "the globals of the sandbox are completed, and within a call servers, tools and parameters",
  WORLD,
  async (panel) => {
    const { page, open, accessible, pictures } = panel;
    await open("/code");
    await write(panel, "");
    await page.keyboard.type("const x = call_");
    const option = (name: string) => page.getByRole("option", { name, exact: false }).first();
    await option("call_tools").waitFor();
    await accessible();
    await page.keyboard.type('tool("no');
    await option("notes").waitFor();
    await page.keyboard.type('tes", "struc');
    await option("structured").waitFor();
    await pictures("code-completion");
    await page.keyboard.type('tured", { ');
    await page.keyboard.press("Control+Space");
    await option("n").waitFor();
  },
);

panelTest(
  "a stored script is opened as it lies, run, and taken over into the editor, which Undo takes back",
  WORLD,
  async (panel) => {
    const { page, open, accessible, pictures, app } = panel;
    mkdirSync(join(app.dir, "scripts"));
    writeFileSync(join(app.dir, "scripts/square.js"), "const n = input.n ?? 12;\nn * n");
    writeFileSync(join(app.dir, "scripts/nothing.ts"), "");
    await open("/code");
    await page.getByText("it is empty").waitFor();
    await page.getByRole("link", { name: "square" }).click();
    const editor = page.getByRole("textbox", { name: "Code" });
    await editor.getByText("const n = input.n ?? 12;").waitFor();
    await becomes(() => editor.getAttribute("aria-readonly"), "true");
    assert.match(page.url(), /\?script=square$/);
    await accessible();
    await pictures("code-stored");
    await page.locator(".page-actions").getByRole("button", { name: "Run square" }).click();
    await page.getByLabel("Result", { exact: true }).getByText("144").waitFor();
    await page.getByRole("button", { name: "Copy to the editor" }).click();
    await page.getByText("square is in the editor").waitFor();
    await page.getByRole("heading", { name: "Script", exact: true }).waitFor();
    await editor.getByText("const n = input.n ?? 12;").waitFor();
    await becomes(() => editor.getAttribute("aria-readonly"), "false");
    await page.getByRole("button", { name: "Undo" }).click();
    await editor.getByText("greeting").waitFor();
    await page.getByRole("button", { name: "Example with a tool of github" }).click();
    await editor.getByText(/call_tool\("github", /).waitFor();
  },
);
