import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { recordId } from "#lib/core/base/id.ts";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { sessionRecord } from "#lib/core/verbs/sessions/record.ts";
import { type Panel, panelTest } from "#test/kit/browser.ts";
import { ask } from "#test/kit/http.ts";
import { program } from "#test/kit/mcp.ts";
import { activityRecord } from "#test/kit/store.ts";

const WORLD = {
  connect: true,
  config: { update_check: { enabled: false }, enable_code_execution: true },
  servers: [program("github"), program("notes")],
};

const call = ({ app }: Panel, tool_name: string, args: Record<string, unknown> = {}) =>
  ask(app, "POST /api/v1/tools/call", { body: { tool_name, arguments: args } });

const SCRIPT = `
const both = call_tools([
  { server: "github", tool: "slow", args: { ms: 60 } },
  { server: "notes", tool: "structured", args: { n: 4 } },
]);
call_tool("github", "fail", {});
both.length;`;

/** Calls that go well and fail, one with something secret in it, and a script with three. */
async function happen(panel: Panel): Promise<void> {
  for (let i = 0; i < 8; i++) await call(panel, "github:echo", { message: `number ${i}` });
  await call(panel, "notes:structured", { n: 3 });
  await call(panel, "github:fail");
  await call(panel, "github:echo", { message: "AKIAIOSFODNN7EXAMPLR and more" });
  await call(panel, "github:no_such_tool");
  await ask(panel.app, "POST /api/v1/code/exec", { body: { code: SCRIPT } });
}

panelTest("activity shows each call as it happens, and filters keep what fits", WORLD, async (panel) => {
  const { app, page, open, accessible, pictures } = panel;
  const at = app.clock.now();
  const client = { name: "cursor", version: "1" };
  await app.store.sessions.put(sessionRecord("s1", at, { mode: "call", caller: INTERNAL_CALLER, client }));
  await app.store.activity.add(activityRecord({ id: recordId(at), at, session_id: "s1", tool_name: "of_cursor" }));
  await open("/activity");
  await page.getByText("No activity yet").or(page.getByRole("row").nth(1)).first().waitFor();
  await happen(panel);
  await page.getByRole("row").filter({ hasText: "called by a script" }).first().waitFor();
  await page.locator(".chart canvas").waitFor();
  await accessible();
  await pictures("activity");
  await page.getByLabel("Status").selectOption("error");
  await page.getByRole("row").filter({ hasText: "echo" }).first().waitFor({ state: "detached" });
  await page.getByRole("row").filter({ hasText: "fail" }).first().waitFor();
  await page.getByLabel("Status").selectOption("");
  await page.getByLabel("Server", { exact: true }).selectOption("notes");
  await page.getByRole("row").filter({ hasText: "echo" }).first().waitFor({ state: "detached" });
  await page.getByLabel("Tool", { exact: true }).fill("nothing_like_it");
  await page.getByText("No records match the filters").waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByLabel("Client", { exact: true }).selectOption("cursor");
  await page.getByRole("row").filter({ hasText: "fail" }).first().waitFor({ state: "detached" });
  await page.getByRole("row").filter({ hasText: "of_cursor" }).first().waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByLabel("Sensitive data", { exact: true }).selectOption("any");
  await page.getByRole("row").filter({ hasText: "sensitive data found" }).first().waitFor();
  assert.match(page.url(), /sensitive=any/);
});

panelTest("a count from before the latest calls is asked for again", WORLD, async (panel) => {
  const { page, open } = panel;
  let isOld = true;
  await page.route("**/api/v1/activity/usage?*", async (route) => {
    if (!isOld) return route.fallback();
    const answer = await route.fetch();
    const { success, data } = await answer.json();
    const old = { ...data, timeline: [], freshness_ms: 100 };
    await route.fulfill({ response: answer, json: { success, data: old } });
  });
  await call(panel, "github:echo");
  await open("/activity");
  await page.getByRole("row").filter({ hasText: "echo" }).first().waitFor();
  isOld = false;

  await page.locator(".chart canvas").waitFor({ timeout: 10_000 });
});

panelTest("a list that is paused stands still and says that there is more", WORLD, async (panel) => {
  const { page, open } = panel;
  await call(panel, "github:echo");
  await open("/activity?type=tool_call");
  await page.getByRole("row").filter({ hasText: "echo" }).first().waitFor();
  await page.getByRole("button", { name: "Live" }).click();
  await call(panel, "notes:structured", { n: 3 });
  await page.getByRole("button", { name: "Show new records" }).click();
  await page.getByRole("row").filter({ hasText: "structured" }).first().waitFor();
});

panelTest("one call's whole story: what was sent, answered, found, and what a script called", WORLD, async (panel) => {
  const { page, open, accessible, pictures } = panel;
  await happen(panel);
  await open("/activity?type=code_execution");
  await page.getByRole("row").filter({ hasText: "Script" }).first().click();
  await page.getByRole("heading", { name: "3 calls" }).waitFor();
  await page.getByLabel("Code", { exact: true }).getByText("call_tools").waitFor();
  await accessible();
  await pictures("activity-script");
  await page.getByRole("list", { name: "Calls by the script" }).getByText("structured").click();
  await page.getByRole("heading", { name: "structured", exact: true }).waitFor();
  await page.getByLabel("Response", { exact: true }).getByText('"square": 16').waitFor();
  await page.getByRole("link", { name: "a script" }).click();
  await page.getByRole("list", { name: "Calls by the script" }).waitFor();
  await open("/activity?sensitive=any");
  await page.locator("[data-row='0']").click();
  await page.getByText("Sensitive data was found").waitFor();
  assert.ok(!(await page.content()).includes("AKIAIOSFODNN7EXAMPLR"));
  await accessible();
  await open("/activity/none-of-these");
  await page.getByText("Loading failed").waitFor();
});

panelTest("what the filters leave is exported, as JSON Lines and as CSV", WORLD, async (panel) => {
  const { page, open, accessible } = panel;
  await happen(panel);
  await open("/activity?type=tool_call&server=notes");
  await page.getByRole("row").filter({ hasText: "structured" }).first().waitFor();
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByText("Export 2 records").waitFor();
  await accessible();
  const file = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name, exact: true }).click(),
    ]);
    return readFileSync(await download.path(), "utf8")
      .trim()
      .split("\n");
  };
  const lines = (await file("JSON Lines")).map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map((l) => l.server_name),
    ["notes", "notes"],
  );
  assert.equal(lines[0].arguments, undefined);
  await page.getByLabel("Include requests and responses").check();
  assert.deepEqual(JSON.parse((await file("JSON Lines"))[0]!).arguments, { n: 4 });
  assert.match((await file("CSV"))[0]!, /^id,type,/);
});

panelTest(
  "ten thousand records are scrolled through with a few in the page",
  { config: { activity_max_records: 20_000 } },
  async (panel) => {
    const { page, open, app } = panel;
    const now = app.clock.now();
    await Promise.all(
      Array.from({ length: 10_000 }, (_, i) =>
        app.store.activity.add(
          activityRecord({ id: recordId(now - i), at: now - i, server_name: "github", tool_name: `tool_${i}` }),
        ),
      ),
    );
    await open("/activity?type=tool_call");
    await page.getByText("100 of 10,000").or(page.getByText("of 10K")).waitFor();
    await page.locator("[data-row='0']").focus();
    const started = Date.now();
    for (let rows = 100; rows < 10_000; rows = Number(await page.getByRole("grid").getAttribute("aria-rowcount")) - 1) {
      await page.keyboard.press("End");
      await page.locator(`[role=grid]:not([aria-rowcount="${rows + 1}"])`).waitFor();
    }
    await page.keyboard.press("End");
    await page.getByText("tool_9999").waitFor();
    assert.ok((await page.locator("[data-row]").count()) < 100);
    const slow = (await page.evaluate(`(async () => {
      const main = document.querySelector("main");
      let worst = 0;
      for (let i = 0; i < 30; i++) {
        const before = performance.now();
        main.scrollTop = (i % 2 === 0 ? 0.1 : 0.9) * main.scrollHeight;
        await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
        worst = Math.max(worst, performance.now() - before);
      }
      return worst;
    })()`)) as number;
    assert.ok(slow < 5000, `a jump through all rows took ${Math.round(slow)} ms`);
    assert.ok(Date.now() - started < 120_000);
  },
);
