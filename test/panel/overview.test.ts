import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after } from "node:test";
import { DATABASE_MARKER_FILE } from "#lib/core/store/database-identity.ts";
import { becomes, type Panel, panelTest } from "#test/kit/browser.ts";
import { ask, call } from "#test/kit/http.ts";
import { program } from "#test/kit/mcp.ts";
import { BUNDLE } from "#test/kit/program.ts";
import { until } from "#test/kit/until.ts";

const WORLD = {
  connect: true,
  config: { update_check: { enabled: false } },
  servers: [
    program("github"),
    program("notes"),
    { name: "weather", url: "https://weather.example/mcp", enabled: false },
    { ...program("files"), quarantined: true },
  ],
};

/** Some calls, a few of which fail. */
async function calls({ app }: Panel): Promise<void> {
  const call = (tool_name: string) => ask(app, "POST /api/v1/tools/call", { body: { tool_name, arguments: {} } });
  for (let i = 0; i < 12; i++) await call("github:echo");
  for (let i = 0; i < 4; i++) await call("notes:structured");
  for (let i = 0; i < 3; i++) await call("github:fail");
}

panelTest("the overview leads to the one thing that is not as it should be", WORLD, async (panel) => {
  const { page, open, accessible, pictures } = panel;
  await calls(panel);
  await open("/");
  await page.getByText("files is in quarantine").waitFor();
  await page.locator(".chart canvas").waitFor();
  await accessible();
  await pictures("overview");
  await page.getByRole("link", { name: "Review" }).click();
  await page.getByRole("heading", { name: "Approvals", exact: true }).waitFor();
});

panelTest(
  "when nothing is the matter the overview says so, and a call shows as it happens",
  {
    connect: true,
    config: { update_check: { enabled: false } },
    servers: [program("github")],
  },
  async (panel) => {
    const { page, open, app } = panel;
    await open("/");
    await page.getByText("No problems").waitFor();
    await page.getByText("No calls yet").waitFor();
    await ask(app, "POST /api/v1/tools/call", { body: { tool_name: "github:echo", arguments: {} } });
    await page.locator(".lines", { hasText: "echo" }).first().waitFor();
  },
);

panelTest(
  "a server that does not work stands first, with the way to its log, and a held one is listed once",
  {
    config: { update_check: { enabled: false } },
    servers: [
      { name: "broken", command: "no-such-program-here" },
      { name: "waiting", command: "true", quarantined: true },
      { name: "added", command: "true", quarantined: true, held: true },
    ],
  },
  async ({ page, open, app, accessible }) => {
    app.upstreams.start();
    await until("broken has failed", () => app.upstreams.get("broken")?.status().lastError !== undefined);
    await open("/");
    const first = page.locator(".lines > li").first();
    await first.getByText("broken").waitFor();
    await page.getByText("added is held").waitFor();
    await page.getByText("waiting is in quarantine").waitFor();
    await accessible();
    await first.getByRole("link").click();
    await page.getByRole("heading", { name: "broken", exact: true }).waitFor();
  },
);

const emptied = mkdtempSync(join(tmpdir(), "proxy-"));
writeFileSync(join(emptied, DATABASE_MARKER_FILE), JSON.stringify({ database: "another-database" }));
after(() => rmSync(emptied, { recursive: true, force: true }));

panelTest(
  "a database that is missing is said first, in red, with what to do",
  {
    connect: false,
    dir: emptied,
    config: { update_check: { enabled: false } },
    servers: [{ name: "git", command: "x" }],
    tools: { "git:log": "pending" },
  },
  async ({ page, open, accessible }) => {
    await open("/");
    const first = page.locator(".lines > li").first();
    await first.getByText("The database with earlier approvals, blocks and tokens is missing").waitFor();
    await first
      .getByText(/restore a backup of proxy\.db; or, to continue without it, delete .*database-id\.json/)
      .waitFor();
    assert.match((await first.getAttribute("class")) ?? "", /bad/);
    await accessible();
  },
);

panelTest(
  "from nothing to a first successful call: demo server, call, address for a client",
  {
    config: { update_check: { enabled: false } },
  },
  async ({ page, open, app, accessible, pictures }) => {
    Object.assign(app.boot, { self: [process.execPath, BUNDLE] });
    await open("/");
    await page.getByRole("heading", { name: "Welcome" }).waitFor();
    await accessible();
    await pictures("welcome");
    const started = Date.now();
    await page.getByRole("button", { name: "Start the demo server" }).click();
    app.upstreams.start();
    await page.getByRole("button", { name: "Ask the calculator" }).click();
    await page.getByText('"result":42').or(page.getByText("42")).first().waitFor();
    assert.ok(Date.now() - started < 60_000);
    await page.getByText("claude mcp add").waitFor();
    await accessible();
    await pictures("welcome-called");
  },
);

panelTest(
  "the servers of a client on this machine are taken over without pasting, released, and tried",
  { connect: true, config: { update_check: { enabled: false } } },
  async ({ page, open, app, accessible, pictures }) => {
    const { name, command, args } = program("alpha");
    mkdirSync(join(app.dir, ".cursor"));
    writeFileSync(
      join(app.dir, ".cursor/mcp.json"),
      JSON.stringify({
        mcpServers: { [name]: { command, args: args.map((a) => (a.endsWith(".mjs") ? resolve(a) : a)) } },
      }),
    );
    await open("/");
    await page.getByRole("button", { name: "Add a server" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Cursor" }).click();
    await dialog.getByText("Cursor: 1 server found.").waitFor();
    await accessible();
    await pictures("welcome-take-over");
    await dialog.getByRole("button", { name: "Add 1 server" }).click();
    await page.getByRole("button", { name: "Release" }).click();
    await dialog.getByRole("button", { name: "Release" }).click();
    await page
      .getByRole("link", { name: "structured" })
      .or(page.getByRole("link", { name: "All tools" }))
      .first()
      .waitFor();
    await accessible();
    assert.equal(app.config.server("alpha")?.quarantined, false);
  },
);

panelTest(
  "the step of approving is done once somebody approved tools, not by a release of what nobody has seen",
  {
    connect: false,
    config: { update_check: { enabled: false } },
    servers: [{ name: "git", command: "x", quarantined: true }],
  },
  async ({ page, open, app, accessible }) => {
    const done = page.locator(".step.done");
    await open("/welcome");
    await page.getByRole("list", { name: "Servers to review" }).getByText("git").waitFor();
    await call(app, "POST /api/v1/servers/{name}/unquarantine", { params: { name: "git" } });
    await page.getByText("No tools are pending.").waitFor();
    await becomes(() => done.count(), 1);
    await app.catalog.acceptListing("git", [
      { name: "log", description: "Shows the log.", inputSchema: { type: "object" } },
    ]);
    await page.getByText("1 tool waiting").waitFor();
    await becomes(() => done.count(), 1);
    await accessible();
    await call(app, "POST /api/v1/servers/{name}/tools/approve", { params: { name: "git" }, body: { tools: ["log"] } });
    await page.locator(".step.done").nth(1).waitFor();
  },
);

panelTest(
  "what cannot be done here is said: without its program there is no demo server",
  {},
  async ({ page, open }) => {
    await open("/welcome");
    await page.getByRole("button", { name: "Start the demo server" }).click();
    await page.getByText("cannot start the demo server").waitFor();
  },
);
