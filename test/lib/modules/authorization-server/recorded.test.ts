import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { auditLog } from "#lib/modules/audit/state.ts";
import type { TestApp } from "#test/kit/app.ts";
import { serve } from "#test/kit/mcp.ts";
import { HandClient, TestBrowser, WITH_SIGN_IN } from "#test/kit/oauth.ts";

/** What the proxy refuses before the library sees it is recorded like what the library refuses. */

const WORLD = { ...WITH_SIGN_IN, config: { ...WITH_SIGN_IN.config, audit_log: { enabled: true } } };

/** The refusals in the activity log, and the reasons of failed sign-ins in the audit log. */
async function recorded(app: TestApp) {
  const { records } = await app.store.activity.select({ type: ["policy_decision"] }, { limit: 100 });
  await app.part(auditLog).close();
  const lines = readFileSync(join(app.dir, "audit", "audit.log"), "utf8")
    .trim()
    .split("\n");
  const events = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "auth_event");
  return {
    refusals: records.map(({ metadata = {}, error_message: message = "" }) => {
      const { step, reason, cause, client_id } = metadata;
      return { step, reason, cause, client_id, message };
    }),
    audited: events.map(({ outcome, reason }) => `${outcome} ${reason}`),
  };
}

test("a registration that would hurt a person, and one too many", async (t) => {
  const { app, url } = await serve(t, WORLD);
  await new HandClient(url).register({ redirect_uris: ["javascript:alert(1)"] });
  for (let n = 0; n < 19; n++) assert.equal((await new HandClient(url).register()).status, 201);

  assert.equal((await new HandClient(url).register()).status, 429);

  const { refusals, audited } = await recorded(app);
  assert.deepEqual(
    new Set(refusals.map(({ step, reason }) => `${step} ${reason}`)),
    new Set(["registration_create invalid_redirect_uri", "registration_create client_sign_in_busy"]),
  );
  assert.deepEqual(new Set(audited), new Set(["failure invalid_redirect_uri", "failure client_sign_in_busy"]));
});

test("one sign-in too many", async (t) => {
  const { app, url } = await serve(t, WORLD);
  const client = new HandClient(url);
  await client.register();
  const statuses = new Set<number>();
  for (let n = 0; n < 61; n++) statuses.add((await new TestBrowser(url).send(client.authorizationUrl())).status);

  assert.deepEqual([...statuses], [303, 429]);

  const { refusals, audited } = await recorded(app);
  assert.deepEqual(
    refusals.map(({ step, reason, client_id }) => [step, reason, client_id]),
    [["authorization", "client_sign_in_busy", client.clientId]],
  );
  assert.deepEqual(audited, ["failure client_sign_in_busy"]);
});

test("a metadata document inside the network, with the reason why it was not fetched", async (t) => {
  const { app, url } = await serve(t, WORLD);
  const client = new HandClient(url);
  client.clientId = "https://10.0.0.1/client.json";

  assert.equal((await new TestBrowser(url).send(client.authorizationUrl())).status, 400);

  const { refusals, audited } = await recorded(app);
  assert.deepEqual(
    refusals.map(({ step, reason, cause, client_id }) => [step, reason, cause, client_id]),
    [["authorization", "invalid_client", "address_refused", client.clientId]],
  );
  assert.match(refusals[0]!.message, /10\.0\.0\.1/);
  assert.deepEqual(audited, ["failure invalid_client"]);
});
