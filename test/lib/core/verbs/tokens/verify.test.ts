import assert from "node:assert/strict";
import { test } from "node:test";
import { inScope, mayUse } from "#lib/core/policy/scope.ts";
import { tokenDefect, verifyToken } from "#lib/core/verbs/tokens/verify.ts";
import { withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { issue } from "#test/kit/token.ts";
import { verifies } from "#test/kit/verifies.ts";

const servers = ["git", "db"].map((name) => ({ name, command: "true", enabled: false }));
const profiles = [{ name: "work", servers: ["git"] }];
const options = { connect: false, servers, config: { profiles } };

verifies("rest.auth.token-scope", "a token reaches the servers and has the permissions it was given", () =>
  withApp(options, async (app) => {
    const secret = await issue(app, { allowed_servers: ["git"], permissions: ["read", "destructive"] });
    const caller = verifyToken(app, secret);
    assert.ok(typeof caller === "object");
    assert.equal(caller.tier, "agent");
    assert.equal(caller.name, "bot");
    assert.deepEqual(
      ["git", "db"].map((server) => inScope(caller.scope, server)),
      [true, false],
    );
    assert.deepEqual(
      (["read", "write", "destructive"] as const).map((p) => mayUse(caller.scope, p)),
      [true, false, true],
    );
    assert.equal(verifyToken(app, secret), caller, "the caller is made once");
  }),
);

test("a token lasts to the moment it expires and no longer", async () => {
  const clock = handClock();
  await withApp({ ...options, clock }, async (app) => {
    const secret = await issue(app, { expires_in: "12h" });
    await clock.advance(12 * 3_600_000 - 1);
    assert.equal(typeof verifyToken(app, secret), "object");
    assert.equal(tokenDefect(app, "bot"), undefined);
    await clock.advance(1);
    assert.equal(verifyToken(app, secret), "expired");
    assert.equal(tokenDefect(app, "bot"), "expired");
    assert.equal(tokenDefect(app, "nobody"), "unknown");
  });
});

test("only the whole secret is the token", () =>
  withApp(options, async (app) => {
    const secret = await issue(app);
    assert.match(secret, /^mcp_agt_[0-9a-f]{64}$/);
    for (const wrong of [
      secret.slice(0, -1),
      `${secret}0`,
      secret.toUpperCase(),
      "mcp_agt_",
      app.store.tokens.get("bot")!.hash,
    ])
      assert.equal(verifyToken(app, wrong), "unknown");
    assert.ok(!JSON.stringify(app.store.tokens.all()).includes(secret.slice(12)), "the secret is not kept");
  }));

test("a pin follows its profile, and reaches nothing once the profile is gone (reference 3.10)", () =>
  withApp(options, async (app) => {
    const secret = await issue(app, { profile_pin: "work" });
    const reached = () => {
      const caller = verifyToken(app, secret);
      assert.ok(typeof caller === "object");
      return servers.map(({ name }) => name).filter((name) => inScope(caller.scope, name));
    };
    assert.deepEqual(reached(), ["git"]);
    await app.config.update((draft) => {
      draft.profiles[0]!.servers = ["db"];
    }, "test");
    assert.deepEqual(reached(), ["db"]);
    await app.config.update((draft) => {
      draft.profiles = [];
    }, "test");
    assert.deepEqual(reached(), []);
  }));
