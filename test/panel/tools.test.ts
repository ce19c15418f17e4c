import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { becomes, panelTest } from "#test/kit/browser.ts";
import { program } from "#test/kit/mcp.ts";

const WORLD = {
  connect: true,
  config: { update_check: { enabled: false } },
  servers: [
    program("github", "--tools", "24"),
    { ...program("files"), disabled_tools: ["crash"] },
    { name: "wiki", command: "true", enabled: false },
  ],
  tools: { "wiki:edit_page": "pending" as const },
};

panelTest("tools are listed by server and state, and found as a client finds them", WORLD, async (panel) => {
  const { page, open, accessible, pictures } = panel;
  await open("/tools");
  await page.getByRole("row").filter({ hasText: "archive_document" }).first().waitFor();
  await accessible();
  await pictures("tools");
  await page.getByLabel("Server", { exact: true }).selectOption("wiki");
  await page.getByRole("button", { name: /^Waiting/ }).click();
  await page.getByRole("row").filter({ hasText: "edit_page" }).getByText("Waiting").waitFor();
  assert.match(page.url(), /server=wiki&state=waiting$/);
  await page.getByLabel("Server", { exact: true }).selectOption("");
  await page.getByRole("button", { name: /^All/ }).click();
  await page.getByRole("searchbox").fill("write a note");
  const first = page.locator("[data-row='0']");
  await first.getByText("write_note").waitFor();
  await first.locator("mark.hit").first().waitFor();
  await accessible();
  await pictures("tools-found");
  await page.getByRole("searchbox").fill("zzzyx");
  await page.getByText("No tools match this search").waitFor();
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: /^Off/ }).click();
  await page.getByRole("row").filter({ hasText: "crash" }).getByText("Excluded").waitFor();
});

panelTest("one tool is read, switched off and on, and called by a form of its schema", WORLD, async (panel) => {
  const { page, open, accessible, pictures, app } = panel;
  await open("/tools?q=squares%20a%20number");
  await page.getByRole("row").filter({ hasText: "github" }).filter({ hasText: "structured" }).click();
  await page.getByRole("heading", { name: "structured", exact: true }).waitFor();
  await page.getByLabel("n", { exact: true }).fill("12");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByText("Succeeded").waitFor();
  await page.getByLabel("Structured result").getByText('"square": 144').waitFor();
  await page.locator(".lines.dense li").first().waitFor();
  await accessible();
  await pictures("tool");
  await page.getByLabel("Enabled").click();
  await page.getByText("structured is disabled").waitFor();
  await becomes(() => page.getByRole("button", { name: "Call", exact: true }).isDisabled(), true);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByLabel("Enabled").and(page.locator(":checked")).waitFor();
  assert.equal(app.catalog.get("github:structured")?.disabled, false);
});

panelTest("a button that cannot be pressed is reached by Tab, says why, and does nothing", WORLD, async (panel) => {
  const { page, open, accessible, pictures } = panel;
  const focused = `[document.activeElement.textContent,
    document.getElementById(document.activeElement.getAttribute("aria-describedby") ?? "")?.innerText]`;
  const requests: string[] = [];
  page.on("request", (request) => request.method() === "POST" && requests.push(request.url()));
  await open("/tools/files/crash");
  await page.getByRole("button", { name: "Edit as JSON" }).focus();
  await page.keyboard.press("Tab");
  await becomes(() => page.evaluate(focused), ["Call", "The configuration of its server excludes it."]);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Call", exact: true }).click({ force: true });
  await accessible();
  await open("/tokens");
  await page.getByRole("button", { name: /token/i }).first().click();
  await page.getByRole("button", { name: "Cancel" }).focus();
  await page.keyboard.press("Tab");
  await becomes(() => page.evaluate(focused), ["Create token", "Enter a name first."]);
  await page.getByText("Enter a name first.").waitFor();
  await accessible();
  await pictures("button-blocked");
  await page.keyboard.press("Enter");
  assert.deepEqual(requests, []);
});

panelTest("Enter in a field does not send a form whose button cannot be pressed", WORLD, async ({ page, open }) => {
  const requests: string[] = [];
  page.on("request", (request) => request.method() === "POST" && requests.push(request.url()));
  await open("/tokens");
  await page.getByRole("button", { name: /token/i }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").press("Enter");
  await becomes(() => dialog.getByRole("button", { name: "Create token" }).isDisabled(), true);
  assert.deepEqual(requests, []);
  await dialog.getByLabel("Name").fill("laptop");
  await dialog.getByLabel("Name").press("Enter");
  await page.getByText("laptop").first().waitFor();
  assert.equal(requests.length, 1);
});

panelTest("what a tool answers is never markup, and images are drawn", WORLD, async ({ page, open }) => {
  await open("/tools/github/raw");
  const answer = {
    content: [
      { type: "text", text: "<img src=x onerror=alert(1)>\u200b" },
      {
        type: "image",
        mimeType: "image/png",
        data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      },
      { type: "image", mimeType: "image/svg+xml", data: "PHN2Zy8+" },
    ],
  };
  await page.getByLabel("json", { exact: true }).fill(JSON.stringify(answer));
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
  await page.getByText("U+200B").waitFor();
  await page.getByAltText("Result of the tool").waitFor();
  await page.getByText("image/svg+xml, 6 B: not shown").waitFor();
});

panelTest("a tool that destroys asks first; a failure and a cancelled call are told apart", WORLD, async (panel) => {
  const { page, open, accessible } = panel;
  await open("/tools/github/delete_note");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByText("the proxy cannot undo it").waitFor();
  await accessible();
  await page.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await page.getByText("Succeeded").count(), 0);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Call delete_note" }).click();
  await page.getByText("Succeeded").waitFor();
  await open("/tools/github/fail");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByText("The tool failed").waitFor();
  await open("/tools/github/slow");
  await page.getByLabel("ms", { exact: true }).fill("60000");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Call", exact: true }).waitFor();
  await open("/tools/github/nothing");
  await page.getByText("github has no tool with this name").waitFor();
});

const login = { type: "string" };
/** What forms of schemas have to cope with: references, groups, shapes to choose from, lists, defaults. */
const NESTED = {
  name: "open_ticket",
  description: "Opens a ticket.",
  inputSchema: {
    type: "object",
    required: ["title", "place"],
    properties: {
      title: { type: "string", examples: ["It is broken"] },
      priority: { type: "string", enum: ["low", "normal", "high"], default: "normal" },
      tags: { type: "array", items: { enum: ["ui", "api", "docs"] } },
      urgent: { anyOf: [{ type: "boolean" }, { type: "null" }] },
      assignee: { $ref: "#/$defs/person" },
      watchers: { type: "array", items: { $ref: "#/$defs/person" } },
      place: {
        oneOf: [
          { title: "A link", type: "object", properties: { url: { type: "string" } }, required: ["url"] },
          { title: "A line", type: "object", properties: { line: { type: "integer", minimum: 1 } } },
        ],
      },
    },
    $defs: {
      person: {
        type: "object",
        properties: { login, notify: { type: "boolean", default: true } },
        required: ["login"],
      },
    },
  },
};

panelTest(
  "a form is made of groups, lists, references and shapes to choose from, and says what is still needed",
  { connect: true, config: { update_check: { enabled: false } } },
  async ({ page, open, app, accessible, pictures }) => {
    const file = join(app.dir, "tools.json");
    writeFileSync(file, JSON.stringify([NESTED]));
    await app.config.update((draft) => {
      draft.mcpServers.push({ ...program("desk", "--tools-file", file), enabled: true });
    }, "test");
    await open("/servers/desk");
    await page.getByRole("row").filter({ hasText: "open_ticket" }).waitFor();
    await open("/tools/desk/open_ticket");
    await page.getByText("Required: title, place").waitFor();
    await page.getByLabel("title *").fill("Late");
    await page.getByLabel("Type of place").selectOption({ label: "A link" });
    await page.getByText("Required: place.url").waitFor();
    await page.getByLabel("Type of place").selectOption({ label: "A line" });
    await page.getByRole("spinbutton", { name: "line" }).fill("7");
    await page.getByLabel("api", { exact: true }).check();
    await page.getByLabel("ui", { exact: true }).check();
    await page.getByLabel("urgent").selectOption("false");
    await page.getByRole("button", { name: "Add to watchers" }).click();
    await page.getByText("Required: watchers 1.login").waitFor();
    await page.getByRole("group", { name: "watchers 1" }).getByLabel("login").fill("ada");
    await accessible();
    await pictures("tool-form");
    const sent = page.waitForRequest((request) => request.url().endsWith("/api/v1/tools/call"));
    await page.getByRole("button", { name: "Call", exact: true }).click();
    assert.deepEqual((await sent).postDataJSON().arguments, {
      priority: "normal",
      title: "Late",
      place: { line: 7 },
      tags: ["ui", "api"],
      urgent: false,
      watchers: [{ notify: true, login: "ada" }],
    });
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    await page.getByLabel("Arguments").fill('{ "title": "Soon", "place": { "url": "x" } }');
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    await becomes(() => page.getByLabel("title *").inputValue(), "Soon");
    await becomes(() => page.getByLabel("url *").inputValue(), "x");
  },
);
