import assert from "node:assert/strict";
import { test } from "node:test";
import { createToken } from "#lib/core/verbs/tokens/create.ts";
import { regenerateToken } from "#lib/core/verbs/tokens/regenerate.ts";
import { removeToken } from "#lib/core/verbs/tokens/remove.ts";
import { revokeToken } from "#lib/core/verbs/tokens/revoke.ts";
import { admin } from "#test/kit/actor.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { secondWriter } from "#test/kit/second-writer.ts";

const withToken = (fn: (app: TestApp) => Promise<void>) =>
  withApp({ connect: false }, async (app) => {
    await createToken(app, { name: "bot" }, admin);
    await fn(app);
  });

test("a token that is revoked while it is renewed stays revoked", () =>
  withToken(async (app) => {
    secondWriter(app.store.tokens, () => revokeToken(app, "bot", admin));

    await assert.rejects(regenerateToken(app, "bot", admin), { code: "token_revoked" });

    assert.notEqual(app.store.tokens.get("bot")?.revokedAt, undefined);
  }));

test("a token that is revoked before its renewal is answered stays revoked", () =>
  withToken(async (app) => {
    const renewed = regenerateToken(app, "bot", admin);
    await revokeToken(app, "bot", admin);
    await renewed;

    assert.notEqual(app.store.tokens.get("bot")?.revokedAt, undefined);
  }));

test("a token that is removed while it is renewed or revoked stays removed", () =>
  withToken(async (app) => {
    secondWriter(app.store.tokens, () => removeToken(app, "bot", admin));
    await assert.rejects(regenerateToken(app, "bot", admin), { code: "no_such_record" });

    await createToken(app, { name: "bot" }, admin);
    secondWriter(app.store.tokens, () => removeToken(app, "bot", admin));
    await assert.rejects(revokeToken(app, "bot", admin), { code: "no_such_record" });

    assert.equal(app.store.tokens.get("bot"), undefined);
  }));

test("of two tokens with one name that are created at the same time, the second is refused", () =>
  withApp({ connect: false }, async (app) => {
    secondWriter(app.store.tokens, () => createToken(app, { name: "bot" }, admin));

    await assert.rejects(createToken(app, { name: "bot", permissions: ["destructive"] }, admin), {
      code: "already_exists",
    });

    assert.deepEqual(app.store.tokens.get("bot")?.permissions, ["read"]);
  }));
