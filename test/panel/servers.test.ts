import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { becomes, panelTest } from "#test/kit/browser.ts";
import { program } from "#test/kit/mcp.ts";

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
  await becomes(() => page.locator("[data-row]").count(), 2);
});

panelTest("a server is switched off and, by Undo, on again", WORLD, async ({ page, open, app }) => {
  await open("/servers");
  await page.getByRole("button", { name: "Actions for github" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await page.getByText("github is disabled").waitFor();
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
    await page.getByRole("button", { name: "Actions for vault" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByText("Approvals and blocks of its tools are kept").waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("vault is removed").waitFor();
    assert.equal(app.config.server("vault"), undefined);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("vault is restored").waitFor();
    assert.equal(app.config.server("vault")?.env?.API_TOKEN, "s3cret-value-0123456789");
  },
);

panelTest("a refusal is told, and what was shown ahead is taken back", WORLD, async ({ page, open, app }) => {
  await open("/servers");
  await app.config.update((draft) => {
    draft.read_only_mode = true;
  }, "test");
  await page.getByRole("button", { name: "Actions for github" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
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
    await becomes(() => page.evaluate("document.activeElement.dataset.key"), "server-9999");
    for (let i = 0; i < 20; i++) await page.keyboard.press("ArrowUp");
    await becomes(() => page.evaluate("document.activeElement.dataset.key"), "server-9979");
    assert.ok((await page.locator("[data-row]").count()) < 100);
    assert.ok(Date.now() - started < 60_000);
  },
);

panelTest("one server: its tools, its log, its settings, each with an address", WORLD, async (panel) => {
  const { page, open, accessible, pictures, app } = panel;
  await open("/servers");
  await page.getByText("github", { exact: true }).click();
  await page.getByRole("heading", { name: "github" }).waitFor();
  await becomes(() => page.evaluate("document.activeElement.textContent"), "github");
  await page.getByRole("row").filter({ hasText: "write_note" }).waitFor();
  await accessible();
  await pictures("server-tools");
  await page.getByRole("row").filter({ hasText: "write_note" }).click();
  await page.getByRole("dialog").getByText("github:write_note").waitFor();
  await accessible();
  await page.getByLabel("Enabled").click();
  await page.getByText("write_note is disabled").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Log" }).click();
  await page.getByRole("log").waitFor();
  await accessible();
  await pictures("server-log");
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByLabel("Call timeout").fill("2m");
  await page.getByLabel("Arguments that do not match").selectOption("enforce");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("github is changed").waitFor();
  const { call_tool_timeout, validate_arguments } = app.config.server("github")!;
  assert.deepEqual([call_tool_timeout, validate_arguments], ["2m", "enforce"]);
  await accessible();
  await page.getByRole("navigation", { name: "Parts of this server" }).getByRole("link", { name: "About" }).click();
  await page.getByText("MCP protocol version").waitFor();
  await accessible();
  await open("/servers/nobody");
  await page.getByText('Server "nobody" not found').waitFor();
});

panelTest(
  "how a server's arguments are checked goes back to the general rule",
  { servers: [{ ...program("strict"), enabled: false, validate_arguments: "enforce" as const }] },
  async ({ page, open, app }) => {
    await open("/servers/strict/settings");
    const choice = page.getByLabel("Arguments that do not match");
    await becomes(() => choice.inputValue(), "enforce");
    await choice.selectOption("Default");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("strict is changed").waitFor();
    assert.equal(app.config.server("strict")?.validate_arguments, undefined);
  },
);

panelTest(
  "a masked value is replaced without ever being sent back",
  {
    servers: [
      {
        name: "vault",
        command: "no-such-program-here",
        env: { API_TOKEN: "s3cret-value-0123456789", PLAIN: "x" },
        enabled: false,
      },
    ],
  },
  async ({ page, open, accessible, pictures, app }) => {
    await open("/servers/vault/settings");
    assert.ok(!(await page.content()).includes("s3cret-value"));
    await page.getByRole("button", { name: "Replace" }).first().click();
    await page
      .getByRole("textbox", { name: "API_TOKEN" })
      .or(page.getByLabel("API_TOKEN", { exact: true }))
      .first()
      .fill("another-value-9876");
    await page.getByLabel("Program").fill("other-program");
    await accessible();
    await pictures("server-settings");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("vault is changed").waitFor();
    const { env, command } = app.config.server("vault")!;
    assert.deepEqual([env?.API_TOKEN, env?.PLAIN, command], ["another-value-9876", "x", "other-program"]);
  },
);

panelTest(
  "a server is put into a container of its own by a form: network, limits and folders, and taken out again",
  {
    servers: [
      {
        name: "vault",
        command: "true",
        enabled: false,
        isolation: { mode: "sandbox", enabled: true, extra_args: ["--user", "1000", "-v", "/srv/a:/a:ro"] },
      },
    ],
  },
  async ({ page, open, accessible, pictures, app }) => {
    const saved = async () => {
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
      return app.config.server("vault")?.isolation;
    };
    await open("/servers/vault/settings");
    await becomes(() => page.getByLabel("Isolation").inputValue(), "sandbox");
    await page.getByLabel("Isolation").selectOption("docker");
    await page.getByLabel("Image").fill("node:22");
    await page.getByLabel("Network", { exact: true }).selectOption("other");
    await page.getByLabel("Network name").fill("inner");
    await page.getByLabel("Memory limit").fill("2g");
    await becomes(() => page.getByLabel("Folder 1 on this machine").inputValue(), "/srv/a");
    await becomes(() => page.getByLabel("Additional flags").inputValue(), "--user 1000");
    await page.getByRole("button", { name: "Add folder" }).click();
    await page.getByLabel("Folder 2 on this machine").fill("/srv/b");
    await page.getByLabel("Access to folder 2").selectOption("write");
    await accessible();
    await pictures("server-isolation");
    assert.deepEqual(await saved(), {
      mode: "docker",
      enabled_override: true,
      image: "node:22",
      network_mode: "inner",
      memory_limit: "2g",
      extra_args: ["-v", "/srv/a:/a:ro", "-v", "/srv/b:/srv/b", "--user", "1000"],
    });
    await page.getByLabel("Memory limit").fill("a lot");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("memory_limit").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await becomes(() => page.getByLabel("Memory limit").inputValue(), "2g");
    await page.getByLabel("Isolation").selectOption("none");
    assert.equal((await saved())?.enabled_override, false);
  },
);

panelTest(
  "what is unsaved is not lost without a question",
  {
    servers: [{ name: "vault", command: "true", enabled: false }],
  },
  async ({ page, open }) => {
    await open("/servers");
    await page.getByText("vault", { exact: true }).click();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Program").fill("false");
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByText("Discard unsaved changes?").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await becomes(() => page.getByLabel("Program").inputValue(), "false");
    await page.evaluate("history.back()");
    await page.getByText("Discard unsaved changes?").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.match(page.url(), /vault\/settings$/);
  },
);

panelTest(
  "a client's configuration is pasted, looked at and taken over",
  {},
  async ({ page, open, accessible, app, pictures }) => {
    await open("/servers");
    await page.getByRole("button", { name: "Add server" }).first().click();
    await page.getByLabel("Configuration").fill(
      JSON.stringify({
        mcpServers: { one: { command: "no-such-program-here" }, two: { url: "https://two.example/mcp" } },
      }),
    );
    await page.getByRole("button", { name: "Show servers" }).click();
    await page.getByText("2 servers found").waitFor();
    await accessible();
    await pictures("servers-paste");
    await page.getByLabel("two").uncheck();
    await page.getByRole("button", { name: "Add 1 server" }).click();
    await page.getByRole("heading", { name: "one", exact: true }).waitFor();
    assert.deepEqual(
      app.config.current().mcpServers.map((s) => s.name),
      ["one"],
    );
  },
);

panelTest(
  "a client's servers are taken over and their entries leave its file; Undo puts the file back byte for byte",
  {
    config: { update_check: { enabled: false } },
    servers: [{ name: "web", url: "https://w.example/mcp", enabled: false }],
  },
  async ({ page, open, accessible, app, pictures }) => {
    const text = `{
  // mine
  "mcpServers": {
    "git": { "command": "no-such-program-here" },
    "web": { "url": "https://w.example/mcp" },
    "left": { "command": "another-program" }
  }
}
`;
    const file = join(app.dir, ".cursor", "mcp.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    await open("/servers");
    await page.getByRole("button", { name: "Add server" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Cursor" }).click();
    await dialog.getByText("3 servers found").waitFor();
    const move = dialog.getByLabel(/^Remove the .*entr.* from the file of Cursor/);
    await becomes(() => move.isChecked(), false);
    await dialog.getByLabel("left").uncheck();
    await dialog.getByText(/^git, web\. While these entries stay/).waitFor();
    await move.check();
    await accessible();
    await pictures("servers-move");
    await dialog.getByRole("button", { name: "Add 1 server" }).click();
    await page.getByText("2 entries removed").waitFor();
    assert.doesNotMatch(readFileSync(file, "utf8"), /"git"|"web"/);
    assert.match(readFileSync(file, "utf8"), /\/\/ mine[\s\S]*"left": \{ "command": "another-program" \}/);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("is restored").waitFor();
    assert.equal(readFileSync(file, "utf8"), text);

    await open("/servers");
    await page.getByRole("button", { name: "Add server" }).first().click();
    await dialog.getByRole("button", { name: "Cursor" }).click();
    await dialog.getByRole("button", { name: "Add 1 server" }).click();
    await page.getByRole("heading", { name: "left", exact: true }).waitFor();
    assert.equal(readFileSync(file, "utf8"), text, "the entries stay unless the person moves them");

    await open("/servers");
    await page.getByRole("button", { name: "Add server" }).first().click();
    await dialog.getByRole("button", { name: "Cursor" }).click();
    await dialog.getByText("3 servers found").waitFor();
    await move.check();
    await dialog.getByRole("button", { name: "Remove 3 entries" }).click();
    await page.getByText("3 entries removed").waitFor();
    assert.doesNotMatch(readFileSync(file, "utf8"), /"command"|"url"/);
  },
);

panelTest("a server is added by hand, by a command line with quotes", {}, async ({ page, open, app }) => {
  await open("/servers");
  await page.keyboard.press("n");
  await page.getByRole("button", { name: "Run a command" }).click();
  await page.getByLabel("Name").fill("mine");
  await page.getByLabel("Command").fill(`run "two words" --flag`);
  await page.getByLabel("Environment").fill("A=1\n# not this\nB=x=y");
  await page.getByRole("dialog").getByRole("button", { name: "Add server" }).click();
  await page.getByRole("heading", { name: "mine" }).waitFor();
  const { command, args, env } = app.config.server("mine")!;
  assert.deepEqual(
    { command, args, env },
    { command: "run", args: ["two words", "--flag"], env: { A: "1", B: "x=y" } },
  );
});
