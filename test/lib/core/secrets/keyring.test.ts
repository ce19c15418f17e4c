import assert from "node:assert/strict";
import { test } from "node:test";
import { osKeyring } from "#lib/core/secrets/keyring.ts";

test("a system without a keyring is told of, quickly, and the kernel's volatile one is never used", async (t) => {
  if (process.platform !== "linux" || process.env.DBUS_SESSION_BUS_ADDRESS)
    return t.skip("only where there is surely no Secret Service");
  const begun = Date.now();

  await assert.rejects(osKeyring("proxy-test"), Error);

  assert.ok(Date.now() - begun < 6000);
});
