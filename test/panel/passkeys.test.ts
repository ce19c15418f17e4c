import assert from "node:assert/strict";
import { becomes, type Panel, panelTest } from "#test/kit/browser.ts";
import { call } from "#test/kit/http.ts";

/** Gives the browser an authenticator that verifies its person, like the one of a phone or a laptop. */
async function withAuthenticator({ context, page }: Panel) {
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** From now on another person is in front of the authenticator. */
    refusePerson: () => devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false }),
  };
}

const signOut = async ({ page, context, url }: Panel) => {
  await context.clearCookies();
  await page.goto(`${url}/ui/`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
};

panelTest(
  "a person registers a passkey once, signs in with it, and removes it",
  { host: "localhost" },
  async (panel) => {
    const { app, page, accessible, pictures } = panel;
    await withAuthenticator(panel);
    await panel.open("/configuration/sign-in");
    await page.getByText("No passkeys yet").waitFor();
    await page.getByLabel("Name").fill("my laptop");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "my laptop" });
    await row.getByText("for localhost").waitFor();
    await accessible();
    await pictures("passkeys");

    await signOut(panel);
    await accessible();
    await pictures("sign-in-passkey");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();

    await page.locator(".side").waitFor({ state: "attached" });
    const [passkey] = (await call(app, "GET /api/v1/passkeys", {})).passkeys;
    assert.ok(passkey?.last_used_at);
    const { activities } = await call(app, "GET /api/v1/activity", { query: { type: "config_change" } });
    assert.ok(activities.some(({ metadata }) => metadata?.action === "passkey_add" && metadata.host === "localhost"));

    await panel.open("/configuration/sign-in");
    await row.getByRole("button", { name: "Remove my laptop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
    await page.getByLabel("Or enter the API key").waitFor();
    const offers = () => page.getByRole("button", { name: "Sign in with a passkey" }).count();
    await becomes(offers, 0, "it was the only one");
    assert.deepEqual((await call(app, "GET /api/v1/passkeys", {})).passkeys, []);
  },
);

panelTest(
  "an authenticator that does not recognise the person signs nobody in",
  { host: "localhost" },
  async (panel) => {
    const { page } = panel;
    const { refusePerson } = await withAuthenticator(panel);
    await panel.open("/configuration/sign-in");
    await page.getByLabel("Name").fill("my laptop");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("listitem").filter({ hasText: "my laptop" }).waitFor();
    await signOut(panel);
    await refusePerson();

    await page.getByRole("button", { name: "Sign in with a passkey" }).click();

    await page.locator(".field .error").waitFor();
    await becomes(() => page.locator(".side").count(), 0);
  },
);

panelTest("at an address instead of a name, the panel says where a passkey can be added", {}, async (panel) => {
  const { page } = panel;
  await panel.open("/configuration/sign-in");
  await page.getByLabel("Name").fill("my laptop");

  await page.getByRole("button", { name: "Add a passkey" }).click();

  await page.getByText("browsers bind passkeys to a name, not to an address; open http://localhost:").waitFor();
});
