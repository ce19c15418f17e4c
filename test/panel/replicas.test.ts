import assert from "node:assert/strict";
import { after } from "node:test";
import { TEST_KEY } from "#test/kit/app.ts";
import { becomes, panelTest } from "#test/kit/browser.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { startProgram } from "#test/kit/upstream.ts";

/**
 * The panel over three replicas: the balancer sends each request of the page to another one. `PANEL_REPLICAS=1` runs the
 * other panel tests in the same way.
 */
const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const upstream = await startProgram("upstream-http.mjs");
after(() => upstream.kill());

panelTest(
  "a page whose requests go to three replicas signs in, decides, watches calls, changes settings and signs out",
  {
    skip,
    replicasOn: server,
    signedIn: false,
    connect: true,
    config: { update_check: { enabled: false } },
    servers: [{ name: "notes", url: upstream.url, protocol: "streamable-http", quarantined: true }],
  },
  async ({ page, open, url, replicas, context }) => {
    const { apps, balancer } = replicas!;
    await page.goto(`${url}/ui/`);
    await page.getByLabel("Or enter the API key").fill(TEST_KEY);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Sign out" }).waitFor();

    await open("/servers");
    await page.getByRole("row").filter({ hasText: "notes" }).getByText("Quarantined").waitFor();
    await open("/approvals");
    await page.getByRole("button", { name: "Release" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Release and approve" }).click();
    await page.getByText("notes is released").waitFor();
    await becomes(async () => apps.map((app) => app.catalog.get("notes:echo")?.status), Array(3).fill("approved"));
    await becomes(async () => apps.map((app) => app.config.server("notes")?.quarantined), Array(3).fill(false));

    await open("/activity?type=tool_call");
    const headers = { "x-api-key": TEST_KEY, "content-type": "application/json" };
    const body = JSON.stringify({ tool_name: "notes:echo", arguments: { message: "hello" } });
    // The page gets its events from one of the replicas.
    for (const count of [1, 2, 3]) {
      await (await fetch(`${url}/api/v1/tools/call`, { method: "POST", headers, body })).text();
      await becomes(() => page.getByRole("row").filter({ hasText: "echo" }).count(), count);
    }

    await open("/configuration?find=tools_limit");
    const limit = page.getByLabel("Tools in a search result", { exact: true });
    await limit.fill("40");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
    await becomes(async () => apps.map((app) => app.config.current().tools_limit), [40, 40, 40]);
    await page.reload();
    await becomes(() => limit.inputValue(), "40");

    const cookies = await context.cookies();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await context.addCookies(cookies);
    for (const app of apps) {
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
      const status = async () =>
        (await fetch(`http://${app.boot.listenAddr}/api/v1/servers`, { headers: { cookie } })).status;
      await becomes(status, 401);
    }
    assert.ok(Math.min(...balancer.answered.values()) > 10, JSON.stringify([...balancer.answered]));
    assert.equal(balancer.answered.size, 3);
  },
);
