import assert from "node:assert/strict";
import { panelTest } from "#test/kit/browser.ts";
import { call } from "#test/kit/http.ts";
import { HandClient, WITH_SIGN_IN } from "#test/kit/oauth.ts";
import { asksForSignIn, startGuarded } from "#test/kit/sign-in.ts";

const WORLD = {
  ...WITH_SIGN_IN,
  signedIn: false,
  servers: [
    { name: "git", command: "x" },
    { name: "mail", command: "x" },
  ],
};

panelTest("a client that only says who publishes it is not shown as proven", WORLD, async ({ app, page, url, key }) => {
  const client = new HandClient(url, "http://127.0.0.1:51234/callback");
  client.clientId = "https://desk.example/client.json";
  const document = { client_id: client.clientId, client_name: "Desk", redirect_uris: ["http://127.0.0.1/callback"] };
  Object.assign(app.egress, {
    fetch: async (to: URL) => ({
      status: 200,
      headers: new Headers(),
      url: String(to),
      text: JSON.stringify(document),
    }),
  });

  await page.goto(client.authorizationUrl());
  await page.getByLabel("Or enter the API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();

  await page.getByText("Not proven").waitFor();
  const text = (await page.locator("main").textContent()) ?? "";
  assert.match(
    text,
    /It says that it is the client that desk\.example publishes; any program on this computer can say/,
  );
});

panelTest("a person signs in, reads who asks, narrows what it may do, and allows it", WORLD, async (panel) => {
  const { app, page, url, key, accessible, pictures } = panel;
  // The client of this test is a page of the same origin, because a panel that calls elsewhere fails its tests.
  const client = new HandClient(url, `${url}/ui/callback`);
  await client.register({ client_name: "Desk Client" });

  await page.goto(client.authorizationUrl());
  await page.getByLabel("Or enter the API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();

  await page.getByRole("heading", { name: "Desk Client asks for access" }).waitFor();
  await page.getByText("Not proven").waitFor();
  await accessible();
  await pictures("consent");
  await page.getByLabel("On", { exact: true }).selectOption("some");
  await page.getByLabel("git").check();
  await page.getByLabel("Write tools").uncheck();
  await page.getByLabel("For", { exact: true }).selectOption("7");
  await accessible();
  await pictures("consent-narrowed");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(/\/ui\/callback\?/);

  const code = new URL(page.url()).searchParams.get("code") ?? assert.fail(page.url());
  const { body } = await client.redeem(code);
  assert.equal((await client.initialize(body.access_token)).status, 200);
  const [token] = (await call(app, "GET /api/v1/tokens", {})).tokens;
  assert.deepEqual([token?.name, token?.allowed_servers, token?.permissions], ["desk-client", ["git"], ["read"]]);
  await panel.open("/tokens");
  const row = page.getByRole("row").filter({ hasText: "desk-client" });
  await row.getByText("signed in").waitFor();
  await row.getByRole("button", { name: "Actions for desk-client" }).click();
  assert.equal(await page.getByRole("menuitem", { name: "Regenerate secret" }).count(), 0);
  await page.getByRole("menuitem", { name: "Revoke" }).waitFor();
});

const CONNECTING = { ...WORLD, connect: true, servers: [] };

panelTest("after the consent, one page signs in at the servers that need it", CONNECTING, async (panel, t) => {
  const { app, page, context, url, key, accessible, pictures } = panel;
  const guarded = await startGuarded();
  t.after(() => guarded.kill());
  await call(app, "PATCH /api/v1/config", { body: guarded.config });
  const server = { name: "guarded", url: guarded.url, trust_mode: "auto" as const, quarantined: false };
  await call(app, "POST /api/v1/servers", { body: server });
  await asksForSignIn(app, "guarded");
  const client = new HandClient(url, `${url}/ui/callback`);
  await client.register({ client_name: "Desk Client" });
  await page.goto(client.authorizationUrl());
  await page.getByLabel("Or enter the API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "Sign in at your servers" }).waitFor();
  await accessible();
  await pictures("consent-servers");
  await page.reload();
  await page.getByRole("button", { name: "Skip and continue to Desk Client" }).waitFor();

  const opened = context.waitForEvent("page");
  await page.getByRole("button", { name: "Sign in at guarded" }).click();
  await (await opened).getByRole("heading", { name: "Signed in" }).waitFor();

  await page.getByText("All its servers are ready.").waitFor();
  await page.getByText("Signed in", { exact: true }).waitFor();
  await accessible();
  await page.getByRole("button", { name: "Continue to Desk Client" }).click();
  await page.waitForURL(/\/ui\/callback\?/);
  const code = new URL(page.url()).searchParams.get("code") ?? assert.fail(page.url());
  assert.equal((await client.redeem(code)).status, 200);
});
