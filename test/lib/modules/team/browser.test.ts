import assert from "node:assert/strict";
import { test } from "node:test";
import { openBrowser } from "#test/kit/browser.ts";
import { team } from "#test/kit/team.ts";

/** The sign-in as a person sees it, in a real browser at a real provider. */

test("in a browser: two people of two groups and an administrator sign in, use the panel, and sign out", async (t) => {
  const browser = openBrowser();
  if (!browser) return t.skip("needs chromium");
  const { app, url } = await team(t, {
    servers: [
      { name: "git", command: "true" },
      { name: "db", command: "true" },
    ],
    edition: { oauth: { display_name: "Example ID" }, access: { group_servers: { dev: ["git"], ops: ["db"] } } },
  });
  const people: [string, string, string[]][] = [
    ["alice", "alice@example.com", ["git"]],
    ["bob", "bob@example.com", ["db"]],
    ["carol", "carol@example.com", ["git", "db"]],
  ];
  for (const [name, email, servers] of people) {
    const context = await (await browser).newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(`${url}/ui/`);
    await page.getByRole("link", { name: "Sign in with Example ID" }).click();
    await page.locator("input[name=login]").fill(name);
    await page.locator("input[name=password]").fill("any");
    await page.locator("button[type=submit]").click();
    await page.locator("button[type=submit]").click();
    await page.waitForURL(`${url}/ui/`);
    await page.locator(".side").waitFor({ state: "attached" });

    const asked = `fetch("/api/v1/servers").then((r) => r.json()).then((r) => r.data.servers.map((s) => s.name))`;
    assert.deepEqual(await page.evaluate(asked), servers, name);
    const me = `fetch("/api/v1/auth/me").then((r) => r.json()).then((r) => r.email + " " + r.role)`;
    assert.equal(await page.evaluate(me), `${email} ${name === "carol" ? "admin" : "user"}`);
    const cookies = await context.cookies(url);
    const session = cookies.find((cookie) => cookie.name.startsWith("proxy_session"));
    assert.deepEqual([session?.httpOnly, session?.sameSite], [true, "Lax"]);
    assert.ok(!cookies.some((cookie) => cookie.name.includes("proxy_signin")), "nothing is left of the way there");
    assert.equal(await page.evaluate("document.cookie"), "");

    const out = `fetch("/ui/session", { method: "DELETE", headers: { "x-proxy-panel": "1" } }).then((r) => r.status)`;
    assert.equal(await page.evaluate(out), 200);
    await page.goto(`${url}/ui/`);
    await page.getByRole("link", { name: "Sign in with Example ID" }).waitFor();
    await context.close();
  }
  assert.deepEqual(app.store.userSessions.all(), []);
});
