import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { systemClock } from "#lib/core/base/clock.ts";
import type { UserRow } from "#lib/core/schema/user.ts";
import { operatorSealingKeys } from "#lib/core/secrets/sealing-keys.ts";
import type { Credentials } from "#lib/modules/oauth/credentials.ts";
import { createRecords } from "#lib/modules/oauth/records.ts";
import { oauth } from "#lib/modules/oauth/state.ts";
import { credentialKey } from "#lib/modules/oauth/user-key.ts";
import { readIdentity, usersWithIdentity, writeIdentity } from "#lib/modules/team/identity-record.ts";
import { sweepPeople } from "#lib/modules/team/sweep-people.ts";
import { type TestApp, testApp } from "#test/kit/app.ts";
import { editionFor, person } from "#test/kit/team.ts";
import { until } from "#test/kit/until.ts";

/** What is stored of people ends when nobody can use it any more. */

const DAY_MS = 86_400_000;

interface World {
  readonly app: TestApp;
  /** Puts the clock forward. */
  pass(ms: number): void;
  records: ReturnType<typeof createRecords>;
}

async function world(t: TestContext): Promise<World> {
  let passed = 0;
  const app = await testApp({
    connect: false,
    clock: { ...systemClock, now: () => Date.now() + passed },
    servers: [{ name: "crm", url: "https://127.0.0.1:1/mcp", auth_broker: { mode: "oauth_connect" } }],
    config: {
      server_edition: editionFor("https://127.0.0.1:1", {
        credential_encryption_key: Buffer.alloc(32, 3).toString("base64"),
      }),
    },
  });
  t.after(() => app.close());
  const records = createRecords(
    app.store.documents,
    app.secrets.sealingKeys,
    operatorSealingKeys(() => credentialKey(app)),
  );
  const pass = (ms: number) => {
    passed += ms;
  };
  return { app, pass, records };
}

const identity = (app: TestApp, { id }: Pick<UserRow, "id">, more: object = {}) =>
  writeIdentity(app, id, { session: "s", idToken: "id token", expiresAt: app.clock.now() + 3_600_000, ...more });

const signedIn = (app: TestApp, more: Partial<Credentials> & { expires_at?: number } = {}): Credentials => {
  const { expires_at, ...rest } = more;
  const tokens = { access: "a", obtained_at: app.clock.now(), ...(expires_at !== undefined && { expires_at }) };
  return { tokens, ...rest };
};

test("what the identity provider issued ends with the person, and when nothing can be done with it", async (t) => {
  const { app, pass } = await world(t);
  const [stays, refreshes, disabled] = await Promise.all(
    ["stays", "refreshes", "disabled"].map((name) => person(app, { email: `${name}@example.com` })),
  );
  await identity(app, stays!, { expiresAt: app.clock.now() + 10 * DAY_MS });
  await identity(app, refreshes!, { refreshToken: "r" });
  await identity(app, disabled!);
  await identity(app, { id: "nobody" });
  await app.store.users.change(disabled!.id, (user) => user && { ...user, disabledAt: app.clock.now() });

  await sweepPeople(app);
  assert.deepEqual((await usersWithIdentity(app)).sort(), [stays!.id, refreshes!.id].sort());

  pass(12 * DAY_MS);
  await sweepPeople(app);
  assert.deepEqual(await usersWithIdentity(app), [refreshes!.id], "an expired ID token without a refresh token");
  assert.equal((await readIdentity(app, refreshes!.id))?.refreshToken, "r");

  pass(400 * DAY_MS);
  await sweepPeople(app);
  assert.deepEqual(await usersWithIdentity(app), [], "the last agent token of the person has ended");
});

test("sign-ins at servers end with the person and with the server, and expired tokens that can be had again end too", async (t) => {
  const { app, pass, records } = await world(t);
  const [stays, disabled] = await Promise.all(
    ["stays", "disabled"].map((name) => person(app, { email: `${name}@example.com` })),
  );
  const at = (owner: string, server = "crm") => ({ owner, server });
  await records.put(at(stays!.id), signedIn(app, { expires_at: app.clock.now() }));
  await records.put(at(disabled!.id), signedIn(app));
  await records.put(at("nobody"), signedIn(app));
  await records.put(at(stays!.id, "gone"), signedIn(app));
  await records.put(at(""), signedIn(app));
  await records.put(at("", "gone"), signedIn(app));
  const owners = async () => (await records.places()).map(({ owner, server }) => `${owner} ${server}`).sort();
  await app.store.users.change(disabled!.id, (user) => user && { ...user, disabledAt: app.clock.now() });

  await sweepPeople(app);
  assert.deepEqual(await owners(), [" crm", `${stays!.id} crm`, `${disabled!.id} crm`].sort());

  pass(31 * DAY_MS);
  await sweepPeople(app);
  assert.deepEqual(await owners(), [" crm", `${stays!.id} crm`].sort(), "the person may be enabled for a month");
  assert.equal((await app.part(oauth).load("crm", disabled!.id)).state, "none");

  const expires_at = app.clock.now();
  await records.put(at(stays!.id), signedIn(app, { grant: "id_jag", expires_at }));
  await sweepPeople(app);
  assert.equal((await records.places(stays!.id)).length, 1, "it has only just expired");
  pass(2 * DAY_MS);
  await sweepPeople(app);
  assert.deepEqual(await owners(), [" crm"]);
});

test("removing a server deletes the sign-ins of everybody there, also of those who have not called it since the start", async (t) => {
  const { app, records } = await world(t);
  const { id } = await person(app, { email: "one@example.com" });
  await records.put({ owner: id, server: "crm" }, signedIn(app));
  app.part(oauth);

  await app.config.update((draft) => {
    draft.mcpServers = [];
  }, "test");

  await until("the sign-in is deleted", async () => (await records.places()).length === 0);
});
