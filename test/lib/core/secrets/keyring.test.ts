import assert from "node:assert/strict";
import { test } from "node:test";
import { inPlainWords, osKeyring } from "#lib/core/secrets/keyring.ts";

test("a system without a keyring is told of, quickly, and the kernel's volatile one is never used", async (t) => {
  if (process.platform !== "linux" || process.env.DBUS_SESSION_BUS_ADDRESS)
    return t.skip("only where there is surely no Secret Service");
  const begun = Date.now();

  await assert.rejects(osKeyring("proxy-test"), Error);

  assert.ok(Date.now() - begun < 6000);
});

test("a missing keyring service is named in plain words, and another failure by the words of the library", () => {
  const raw = "Platform failure: DBus error: Using X11 for dbus-daemon autolaunch was disabled at compile time";

  assert.match(inPlainWords(raw, {}), /^no keyring service can be reached, because this session has no D-Bus/);
  assert.match(inPlainWords(raw, { DBUS_SESSION_BUS_ADDRESS: "unix:path=/x" }), /^no keyring service answers.*X11/);
  assert.equal(inPlainWords("the keyring is locked", {}), "the keyring is locked");
});
