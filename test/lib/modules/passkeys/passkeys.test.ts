import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { auditLog } from "#lib/modules/audit/state.ts";
import { Authenticator } from "#test/kit/authenticator.ts";
import { handClock } from "#test/kit/clock.ts";
import { call } from "#test/kit/http.ts";
import { type Served, serve } from "#test/kit/mcp.ts";
import { TestBrowser } from "#test/kit/oauth.ts";
import { PAGE } from "#test/kit/panel-session.ts";
import { editionFor } from "#test/kit/team.ts";

const post = async (browser: TestBrowser, path: string, body: object = {}) => {
  const response = await browser.send(path, { method: "POST", headers: PAGE, body });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  const answered = (await response.json()) as { data: any; code?: string; error?: string };
  return { status: response.status, ...answered };
};

const named = ({ url }: Served) => url.replace("127.0.0.1", "localhost");

/** A signed-in browser that reaches the panel by a name, with an authenticator. */
async function person(served: Served) {
  const browser = new TestBrowser(named(served));
  await browser.signIn();
  return { browser, authenticator: new Authenticator(named(served)) };
}

async function register({ browser, authenticator }: Awaited<ReturnType<typeof person>>, name = "laptop") {
  const { data } = await post(browser, "/ui/passkeys/challenge");
  return post(browser, "/ui/passkeys", { name, passkey: authenticator.create(data) });
}

const challenge = async (browser: TestBrowser) => (await post(browser, "/ui/session/challenge")).data;

test("a passkey signs a browser in, and removing it signs that browser out and no other", async (t) => {
  const served = await serve(t);
  const owner = await person(served);
  const added = await register(owner);
  assert.equal(added.status, 201, added.error);
  const fresh = new TestBrowser(named(served));

  const passkey = owner.authenticator.get(await challenge(fresh));
  const signedIn = await post(fresh, "/ui/session", { passkey });

  assert.equal(signedIn.status, 200, signedIn.error);
  const tier = async (browser: TestBrowser) =>
    ((await (await browser.send("/ui/session", { headers: PAGE })).json()) as { data: { tier: string } }).data.tier;
  assert.equal(await tier(fresh), "admin");
  await call(served.app, "DELETE /api/v1/passkeys/{id}", { params: { id: added.data.id } });
  assert.equal(await tier(fresh), "anonymous");
  assert.equal(await tier(owner.browser), "admin");
  const again = await post(fresh, "/ui/session", { passkey: owner.authenticator.get(await challenge(fresh)) });
  assert.deepEqual([again.status, again.code], [401, "passkey_refused"]);
});

type Shown = ReturnType<Authenticator["get"]>;
const ABUSE: readonly (readonly [
  what: string,
  make: (owner: Authenticator, browser: TestBrowser, origin: string) => Promise<Shown>,
])[] = [
  ["a page of another site", async (owner, b) => owner.get(await challenge(b), { origin: "https://evil.example" })],
  ["a page on another port", async (owner, b) => owner.get(await challenge(b), { origin: "http://localhost:9" })],
  ["a passkey for another host", async (owner, b) => owner.get(await challenge(b), { rpId: "evil.example" })],
  ["a person who was not verified", async (owner, b) => owner.get(await challenge(b), { isUserVerified: false })],
  ["an invented challenge", async (owner, b) => owner.get({ ...(await challenge(b)), challenge: "aW52ZW50ZWQ" })],
  ["an answer of another kind", async (owner, b) => owner.get(await challenge(b), { type: "webauthn.create" })],
  ["a counter that went back", async (owner, b) => owner.get(await challenge(b), { counter: 1 })],
  [
    "the signature of another passkey",
    async (owner, b, origin) => {
      const options = await challenge(b);
      return { ...owner.get(options), response: new Authenticator(origin).get(options).response };
    },
  ],
  ["a passkey that nobody registered", async (_, b, origin) => new Authenticator(origin).get(await challenge(b))],
  [
    "a challenge for a registration",
    async (owner, b) => {
      await b.signIn();
      return owner.get((await post(b, "/ui/passkeys/challenge")).data);
    },
  ],
];

test("whoever shows anything but the passkey, here and now, is refused, and that is recorded", async (t) => {
  const served = await serve(t, { config: { audit_log: { enabled: true } } });
  const owner = await person(served);
  await register(owner);
  // The counter of the passkey is above 1 from here on.
  const first = new TestBrowser(named(served));
  const used = owner.authenticator.get(await challenge(first));
  assert.equal((await post(first, "/ui/session", { passkey: used })).status, 200);
  for (const [what, make] of ABUSE)
    await t.test(what, async () => {
      const browser = new TestBrowser(named(served));

      const passkey = await make(owner.authenticator, browser, named(served));
      const { status, code } = await post(browser, "/ui/session", { passkey });

      assert.deepEqual([status, code], [401, "passkey_refused"]);
    });
  const replayed = await post(new TestBrowser(named(served)), "/ui/session", { passkey: used });
  assert.deepEqual([replayed.status, replayed.code], [401, "passkey_refused"], "a second use of the same answer");
  await served.app.part(auditLog).close();
  const lines = readFileSync(join(served.app.dir, "audit", "audit.log"), "utf8")
    .trim()
    .split("\n");
  const signIns = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "auth_event");
  const refused = signIns.filter(({ outcome, reason }) => outcome === "failure" && reason === "passkey_refused");
  assert.equal(refused.length, ABUSE.length + 1);
  assert.equal(signIns.filter(({ passkey }) => typeof passkey === "string").length, 1, "the sign-in names its passkey");
});

test("a challenge ends after some minutes", async (t) => {
  const clock = handClock(Date.now());
  const served = await serve(t, { clock });
  const owner = await person(served);
  await register(owner);
  const browser = new TestBrowser(named(served));
  const passkey = owner.authenticator.get(await challenge(browser));

  await clock.advance(5 * 60_000);

  assert.equal((await post(browser, "/ui/session", { passkey })).code, "passkey_refused");
});

test("only a person in the panel registers a passkey, and at most 20", async (t) => {
  const served = await serve(t);
  const nobody = new TestBrowser(named(served));
  assert.equal((await post(nobody, "/ui/passkeys/challenge")).status, 401);
  const { browser } = await person(served);

  for (let n = 0; n < 20; n++)
    assert.equal(
      (await register({ browser, authenticator: new Authenticator(named(served)) }, `key ${n}`)).status,
      201,
    );

  assert.equal((await post(browser, "/ui/passkeys/challenge")).code, "passkey_limit");
});

test("passkeys are refused where browsers or the edition have none", async (t) => {
  const plain = await serve(t);
  const byAddress = new TestBrowser(plain.url);
  assert.deepEqual((await post(byAddress, "/ui/session/challenge")).code, "passkey_unavailable");
  const team = await serve(t, { config: { server_edition: editionFor("https://id.example") } });
  const refused = await post(new TestBrowser(named(team)), "/ui/session/challenge");
  assert.deepEqual([refused.status, refused.code], [409, "passkey_unavailable"]);
  assert.match(refused.error ?? "", /identity provider/);
});

test("challenges are limited for each address", async (t) => {
  const served = await serve(t);
  const browser = new TestBrowser(named(served));

  const codes = new Set<string | undefined>();
  for (let n = 0; n < 40; n++) codes.add((await post(browser, "/ui/session/challenge")).code);

  assert.deepEqual([...codes], [undefined, "passkey_busy"]);
});
