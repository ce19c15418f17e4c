import assert from "node:assert/strict";
import { panelTest } from "#test/kit/browser.ts";
import { call } from "#test/kit/http.ts";

const WORLD = {
  connect: false,
  config: { update_check: { enabled: false } },
  servers: [
    { name: "git", command: "x" },
    { name: "mail", command: "x" },
  ],
};

panelTest("a token is made for some servers, shown once, renewed, revoked and deleted", WORLD, async (panel) => {
  const { app, page, open, accessible, pictures } = panel;
  const tokens = async () => (await call(app, "GET /api/v1/tokens", {})).tokens;
  await open("/tokens");
  await page.getByText("No tokens yet").waitFor();
  await page.getByText("Tokens are optional on").waitFor();
  await page.getByRole("button", { name: "Create token" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("laptop");
  await dialog.getByLabel("Servers").selectOption("some");
  await dialog.getByLabel("git").check();
  await dialog.getByLabel("Write tools").check();
  await dialog.getByLabel("Expires after").selectOption("7d");
  await accessible();
  await pictures("tokens-new");
  await dialog.getByRole("button", { name: "Create token" }).click();
  const secret = await dialog.getByRole("group", { name: "token" }).textContent();
  await accessible();
  const [made] = await tokens();
  assert.deepEqual(made?.allowed_servers, ["git"]);
  assert.deepEqual(made?.permissions, ["read", "write"]);
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("row").filter({ hasText: "laptop" }).getByText("Active").waitFor();
  assert.ok(!(await page.content()).includes(secret ?? ""));
  await accessible();
  await pictures("tokens");

  await page.getByRole("button", { name: "Actions for laptop" }).click();
  await page.getByRole("menuitem", { name: "Regenerate secret" }).click();
  await dialog.getByRole("button", { name: "Regenerate secret" }).click();
  const second = await dialog.getByRole("group", { name: "token" }).textContent();
  assert.notEqual(second, secret);
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.getByRole("button", { name: "Actions for laptop" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("row").filter({ hasText: "laptop" }).getByText("Revoked").waitFor();
  await page.getByRole("button", { name: "Actions for laptop" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No tokens yet").waitFor();
  assert.deepEqual(await tokens(), []);
});

panelTest(
  "while tokens are optional the page says so; a switch, or the one of a new token, requires them",
  WORLD,
  async ({ app, page, open, accessible, pictures }) => {
    const required = () => app.config.current().require_mcp_auth;
    const notice = page.getByText("Tokens are optional on /mcp: a client without a token may use every server.");
    await open("/tokens");
    await notice.waitFor();
    await accessible();
    await pictures("tokens-optional");
    await page.getByLabel("Require authentication on /mcp").click();
    await page.getByText("Clients now need a token on /mcp").waitFor();
    await notice.waitFor({ state: "detached" });
    assert.equal(required(), true);
    await page.getByRole("button", { name: "Undo" }).click();
    await notice.waitFor();
    assert.equal(required(), false);

    await page.getByRole("button", { name: "Create token" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("laptop");
    await dialog.getByLabel("Require authentication on /mcp").check();
    await accessible();
    await dialog.getByRole("button", { name: "Create token" }).click();
    await dialog.getByRole("button", { name: "Done" }).click();
    await notice.waitFor({ state: "detached" });
    assert.equal(required(), true);
  },
);

panelTest("a profile is made, changed, made active, removed and brought back", WORLD, async (panel) => {
  const { app, page, open, accessible, pictures } = panel;
  await open("/tokens/profiles");
  await page.getByText("No profiles yet").waitFor();
  await accessible();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("work");
  await dialog.getByLabel("git").check();
  await dialog.getByRole("button", { name: "Add profile" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "work" });
  await row.getByText("/mcp/p/work").waitFor();
  assert.deepEqual(app.config.current().profiles, [{ name: "work", servers: ["git"] }]);
  await row.getByRole("button", { name: "Make active" }).click();
  await row.getByText("Active", { exact: true }).waitFor();
  await accessible();
  await pictures("profiles");
  await row.getByRole("button", { name: "Actions for work" }).click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  await dialog.getByLabel("mail").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await row.getByText("git, mail").waitFor();
  await row.getByRole("button", { name: "Actions for work" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.getByText("No profiles yet").waitFor();
  await page.locator(".toast").filter({ hasText: "work is removed" }).getByRole("button", { name: "Undo" }).click();
  await row.getByText("git, mail").waitFor();
});
