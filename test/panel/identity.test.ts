import assert from "node:assert/strict";
import { after, before } from "node:test";
import { wholeFile } from "#test/e2e/daemon.ts";
import { panelTest } from "#test/kit/browser.ts";
import { type Guarded, startGuarded } from "#test/kit/sign-in.ts";
import { Browser, editionFor, type Idp, startIdp } from "#test/kit/team.ts";
import { until } from "#test/kit/until.ts";

/** A server that the company's identity provider lets a person use, on the page of the person's account. */

const CLIENT = { client_id: "jag-client", client_secret: "jag-secret-of-some-length" };

const file = wholeFile();
let idp: Idp;
let guarded: Guarded;
const config: Record<string, unknown> = {};

before(async () => {
  idp = await startIdp(file);
  const grant_types = ["urn:ietf:params:oauth:grant-type:jwt-bearer"];
  guarded = await startGuarded({ ...CLIENT, grant_types, response_types: [], redirect_uris: [] });
  await guarded.control({ idp: idp.issuer });
  Object.assign(config, {
    ...guarded.config,
    update_check: { enabled: false },
    server_edition: editionFor(idp.issuer, { credential_encryption_key: Buffer.alloc(32, 7).toString("base64") }),
  });
});
after(async () => {
  await guarded.kill();
});

panelTest(
  "a person sees whether the identity provider lets them use a server, why not, and where to sign in again",
  { connect: true, signedIn: false, config },
  async ({ app, page, context, url, open, accessible, pictures }) => {
    const { issuer } = await guarded.control();
    await idp.tell({ redirect_uris: [`${url}/api/v1/auth/callback`] });
    await app.config.update((draft) => {
      draft.mcpServers.push({
        name: "crm",
        url: guarded.url,
        enabled: true,
        quarantined: false,
        trust_mode: "auto",
        auth_broker: { mode: "id_jag" },
        oauth: { issuer, ...CLIENT },
      });
    }, "test");
    const signedIn = async (who: string) => {
      const browser = new Browser(url);
      await browser.signIn(who);
      return browser;
    };
    await signedIn("carol");
    await until("its tools are listed", () => app.catalog.of("crm").length > 0);
    let alice: Browser;
    const signIn = async () => {
      alice = await signedIn("alice");
      const [name = "", value = ""] = alice.session.split("=");
      await context.addCookies([{ name, value, url }]);
    };
    const read = async () => (await alice.send("POST", "/api/v1/tools/call", { tool_name: "crm:read" })).status;
    const again = () => page.evaluate("dispatchEvent(new Event('focus'))");
    const row = page.getByRole("list", { name: "My servers" }).getByRole("listitem").filter({ hasText: "crm" });
    const link = row.getByRole("link", { name: "Sign in" });
    await signIn();

    await open("/account");
    await row.getByText("Signs in by itself").waitFor();
    assert.equal(await link.count(), 0);
    await accessible();
    await pictures("account-identity");

    assert.equal(await read(), 200);
    await again();
    await row.getByText("Signed in", { exact: true }).waitFor();
    assert.equal(await link.count(), 0);

    await idp.tell({ set: { denied: ["alice"] } });
    // A token of the server is used until it expires or the person signs out.
    await alice!.send("POST", "/api/v1/auth/logout");
    await signIn();
    assert.equal(await read(), 403);
    await again();
    await row.getByText("Not signed in").waitFor();
    await row
      .getByText(/the identity provider returned access_denied \(not assigned to the application\)/)
      .first()
      .waitFor();
    await accessible();
    await pictures("account-identity-denied");
    assert.match((await link.getAttribute("href")) ?? "", /^\/api\/v1\/auth\/login\?redirect_uri=\/ui\/account$/);

    await idp.tell({ set: { denied: [] } });
    await signIn();
    await again();
    await row.getByText("Signs in by itself").waitFor();
    assert.equal(await link.count(), 0);
  },
);
