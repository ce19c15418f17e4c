import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { UserRow } from "#lib/core/schema/user.ts";
import { type Panel, panelTest } from "#test/kit/browser.ts";
import { asksForSignIn, browse, type Guarded, signedIn, startGuarded } from "#test/kit/sign-in.ts";
import { editionFor, person, sessionOf } from "#test/kit/team.ts";

let guarded: Guarded;

before(async () => {
  guarded = await startGuarded();
});
after(async () => {
  await guarded.kill();
});

const WORLD = {
  connect: false,
  config: {
    update_check: { enabled: false },
    server_edition: editionFor("https://id.example", {
      access: { group_servers: { dev: ["git", "mail"] } },
    }),
  },
  servers: [
    { name: "git", command: "x" },
    { name: "mail", command: "x" },
    { name: "vault", command: "x" },
  ],
};

/** Signs the browser of a test in as a person. */
async function signInAs({ app, context, url }: Panel, user: UserRow): Promise<void> {
  const [name = "", value = ""] = (await sessionOf(app, user)).cookie!.split("=");
  await context.clearCookies();
  await context.addCookies([{ name, value, url }]);
}

panelTest(
  "a person who is not an administrator sees of an unapproved tool its name and state, and no way to decide",
  {
    ...WORLD,
    tools: {
      "git:log": { description: "Shows the log.", status: "approved" },
      "git:late": { description: "A text nobody has reviewed.", status: "pending" },
    },
  },
  async (panel) => {
    const { app, page, open, accessible } = panel;
    await signInAs(panel, await person(app, { email: "alice@example.com", displayName: "Alice", groups: ["dev"] }));
    await open("/tools");
    await page
      .getByRole("row")
      .filter({ hasText: "late" })
      .getByText("Hidden until an administrator approves")
      .waitFor();
    await page.getByRole("row").filter({ hasText: "log" }).getByText("Shows the log.").waitFor();
    await accessible();
    await open("/tools/git/late");
    await page.getByText("No client can call it until an administrator approves it.").waitFor();
    assert.equal(await page.getByRole("link", { name: "Review" }).count(), 0);
    assert.ok(!(await page.content()).includes("nobody has reviewed"));
    await open("/");
    await page.getByText("No problems").waitFor();
  },
);

panelTest(
  "a person has their servers, tokens and browsers, and no way to what is an administrator's",
  WORLD,
  async (panel) => {
    const { app, page, open, accessible, pictures } = panel;
    const alice = await person(app, { email: "alice@example.com", displayName: "Alice", groups: ["dev"] });
    await signInAs(panel, alice);
    await open("/account");
    const mine = page.getByRole("list", { name: "My servers" });
    await mine.getByText("git").waitFor();
    assert.equal(await mine.getByText("vault").count(), 0);
    const nav = page.getByRole("navigation", { name: "Pages" });
    await nav.getByText("My account").waitFor();
    for (const hidden of ["Users", "Secrets", "Connect"]) assert.equal(await nav.getByText(hidden).count(), 0);
    await accessible();
    await pictures("account");
    await mine.getByRole("listitem").filter({ hasText: "git" }).getByLabel("Enabled").uncheck();
    await page.getByText("git is disabled for you only").waitFor();
    assert.deepEqual(app.store.users.get(alice.id)?.off, ["git"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await mine
      .getByRole("listitem")
      .filter({ hasText: "git" })
      .getByLabel("Enabled")
      .and(page.locator(":checked"))
      .waitFor();

    await page.getByRole("link", { name: "My tokens" }).click();
    await page.getByRole("button", { name: "Create token" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("laptop");
    await dialog.getByLabel("Servers").selectOption("some");
    await dialog.getByLabel("mail").check();
    await dialog.getByRole("button", { name: "Create token" }).click();
    await dialog.getByText("does not show it again").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row").filter({ hasText: "laptop" }).getByText("Active").waitFor();

    await page.getByRole("link", { name: "My browsers" }).click();
    await page.getByText("This browser").waitFor();
    await accessible();
  },
);

panelTest("an administrator sees who is there, shuts somebody out and lets them in", WORLD, async (panel) => {
  const { app, page, open, accessible, pictures } = panel;
  const carol = await person(app, { email: "carol@example.com", displayName: "Carol", admin: true });
  const bob = await person(app, { email: "bob@example.com", groups: ["dev"] });
  await sessionOf(app, bob);
  await signInAs(panel, carol);
  await open("/users");
  const row = page.getByRole("row").filter({ hasText: "bob@example.com" });
  await row.getByText("Signed in").waitFor();
  await row.getByText("git, mail").waitFor();
  await accessible();
  await pictures("users");
  await row.getByRole("button", { name: "Actions for bob@example.com" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await row.getByText("Disabled").waitFor();
  assert.notEqual(app.store.users.get(bob.id)?.disabledAt, undefined);
  await row.getByRole("button", { name: "Actions for bob@example.com" }).click();
  await page.getByRole("menuitem", { name: "Enable" }).click();
  await row.getByText("away").waitFor();

  await sessionOf(app, bob);
  await page.getByRole("link", { name: "Browsers" }).click();
  const browser = page.getByRole("listitem").filter({ hasText: "bob@example.com" });
  await browser.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await browser.waitFor({ state: "detached" });
  await accessible();
});

panelTest(
  "whoever holds the API key is no person; without the edition there is no such page",
  { connect: false },
  async ({ page, open }) => {
    await open("/account");
    await page.getByText("You are signed in with the API key").waitFor();
    const nav = page.getByRole("navigation", { name: "Pages" });
    assert.equal(await nav.getByText("Users").count(), 0);
    assert.equal(await nav.getByText("My account").count(), 0);
    await nav.getByText("Secrets").waitFor();
  },
);

panelTest(
  "a person signs in to a shared server themselves, and forgets that again",
  {
    connect: true,
    config: {
      update_check: { enabled: false },
      server_edition: editionFor("https://id.example", {
        credential_encryption_key: Buffer.alloc(32, 5).toString("base64"),
      }),
    },
  },
  async (panel) => {
    const { app, page, open, accessible, pictures, url } = panel;
    await app.config.update((draft) => {
      draft.outbound_allow = guarded.config.outbound_allow;
      draft.mcpServers.push({
        ...draft.mcpServers[0]!,
        name: "crm",
        url: guarded.url,
        enabled: true,
        quarantined: false,
        trust_mode: "auto",
        auth_broker: { mode: "oauth_connect" },
      });
    }, "test");
    await asksForSignIn(app, "crm");
    await signedIn(app, "crm");
    const alice = await person(app, { email: "alice@example.com" });
    await signInAs(panel, alice);
    await open("/account");
    const row = page.getByRole("listitem").filter({ hasText: "crm" });
    await row.getByText("Not signed in").waitFor();
    const path = await row.getByRole("link", { name: "Sign in" }).getAttribute("href");
    // What the new tab of the link does.
    const headers = await sessionOf(app, alice);
    const begun = await fetch(new URL(path ?? "", url), { headers, redirect: "manual" });
    const back = await fetch(await browse(begun.headers.get("location") ?? ""), { headers });
    assert.equal(back.status, 200, await back.text());
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await row.getByText("Signed in", { exact: true }).waitFor();
    await accessible();
    await pictures("account-credential");
    await row.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete sign-in" }).click();
    await row.getByText("Not signed in").waitFor();
  },
);
