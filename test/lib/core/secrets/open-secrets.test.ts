import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Keyring } from "#lib/core/secrets/keyring.ts";
import { keyringService } from "#lib/core/secrets/keyring.ts";
import { openSecrets } from "#lib/core/secrets/open-secrets.ts";
import { handClock } from "#test/kit/clock.ts";
import { memoryKeyring } from "#test/kit/keyring.ts";
import { heardLog } from "#test/kit/log.ts";

const folder = (t: TestContext) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};
const none = async (): Promise<Keyring> => {
  throw new Error("no such service");
};
const open = (dataDir: string, keyring: () => Promise<Keyring>, env: Record<string, string> = {}) =>
  openSecrets({ dataDir, env, log: heardLog(), clock: handClock(1_700_000_000_000), keyring });

for (const [place, keyring] of [
  ["the keyring", async () => ring],
  ["the encrypted file", none],
] as const) {
  test(`a secret in ${place} is set, read, listed, replaced and removed`, async (t) => {
    const dir = folder(t);
    const secrets = open(dir, keyring);

    await secrets.set("token", "first ✓");
    await secrets.set("b.c-d_E", "other");
    await secrets.set("token", "second");

    assert.equal(await secrets.get("token"), "second");
    assert.deepEqual(await secrets.list(), ["b.c-d_E", "token"]);
    assert.equal(await open(dir, keyring).get("b.c-d_E"), "other");
    assert.equal(await secrets.delete("token"), true);
    assert.equal(await secrets.delete("token"), false);
    assert.equal(await secrets.get("token"), undefined);
    assert.deepEqual(await secrets.list(), ["b.c-d_E"]);
  });
}
const ring = memoryKeyring();

test("with a keyring nothing but names is written to the disk", async (t) => {
  const dir = folder(t);
  const kept = memoryKeyring();
  const secrets = open(dir, async () => kept);

  await secrets.set("token", "in the ring");

  assert.deepEqual(readdirSync(dir), ["secrets.json"]);
  assert.deepEqual(JSON.parse(readFileSync(join(dir, "secrets.json"), "utf8")), {
    names: { token: "keyring" },
    updated: { token: "2023-11-14T22:13:20.000Z" },
  });
  assert.deepEqual(await secrets.entries(), [{ name: "token", backend: "keyring", updatedAt: 1_700_000_000_000 }]);
  assert.equal(kept.kept.get("token"), "in the ring");
  assert.deepEqual(secrets.backend(), { kind: "keyring" });
});

test("without a keyring the file says where secrets are kept, and why", async (t) => {
  const dir = folder(t);
  const log = heardLog();
  const secrets = openSecrets({ dataDir: dir, env: {}, log, keyring: none });
  assert.deepEqual(secrets.backend(), { kind: "keyring", reason: "not used yet" });

  await secrets.set("token", "value");
  await secrets.get("token");

  assert.deepEqual(secrets.backend(), { kind: "file", reason: "no such service" });
  assert.equal(log.lines.filter((line) => line.includes("no such service")).length, 1);
});

test("the keyring is opened at the first use, once", async (t) => {
  let opened = 0;
  const secrets = openSecrets({
    dataDir: folder(t),
    env: { A: "1" },
    log: heardLog(),
    keyring: async () => {
      opened++;
      return ring;
    },
  });

  await secrets.resolve("${env:A}");
  assert.equal(opened, 0);
  await Promise.all([secrets.get("a"), secrets.get("b"), secrets.get("a")]);
  assert.equal(opened, 1);
});

test("a value the keyring refuses goes into the file, and back when it is taken again", async (t) => {
  const dir = folder(t);
  const kept = memoryKeyring();
  const narrow: Keyring = {
    ...kept,
    async set(name, value) {
      if (value.length > 10) throw new Error("too long");
      await kept.set(name, value);
    },
  };
  const secrets = open(dir, async () => narrow);

  await secrets.set("token", "x".repeat(5000));
  assert.equal(await secrets.get("token"), "x".repeat(5000));
  assert.deepEqual(secrets.backend(), { kind: "keyring" });

  await secrets.set("token", "short");
  assert.equal(await secrets.get("token"), "short");
  assert.deepEqual(JSON.parse(readFileSync(join(dir, "secrets.enc"), "utf8")).secrets, {});
});

test("a secret left in a keyring that is gone says so", async (t) => {
  const dir = folder(t);
  await open(dir, async () => memoryKeyring()).set("token", "v");

  const secrets = open(dir, none);

  await assert.rejects(secrets.resolve("x ${keyring:token}"), {
    code: "secret_missing",
    message: /\$\{keyring:token\} cannot be read: .* keyring that is not available: no such service/,
  });
});

test("a name put into the keyring by other means is found", async (t) => {
  const kept = memoryKeyring();
  kept.kept.set("outside", "v");

  assert.equal(await open(folder(t), async () => kept).resolve("${keyring:outside}"), "v");
});

test("names and values out of bounds are refused", async (t) => {
  const secrets = open(folder(t), none);

  for (const name of ["", "a b", "a/b", "../x", "é", "x".repeat(129), "a\n", "${x}"])
    await assert.rejects(secrets.set(name, "v"), { code: "invalid_request" }, name);
  for (const value of ["", "x".repeat(65_537)])
    await assert.rejects(secrets.set("a", value), { code: "invalid_request" });
  for (const name of ["__proto__", "constructor", "x".repeat(128)]) {
    await secrets.set(name, `of ${name}`);
    assert.equal(await secrets.get(name), `of ${name}`);
  }
  assert.equal(await secrets.get("../x"), undefined);
  assert.equal(await secrets.delete("../x"), false);
});

test("secrets set at once are all kept", async (t) => {
  const dir = folder(t);
  const secrets = open(dir, none);

  await Promise.all(Array.from({ length: 30 }, (_, n) => secrets.set(`s${n}`, `v${n}`)));

  const again = open(dir, none);
  assert.equal((await again.list()).length, 30);
  for (let n = 0; n < 30; n++) assert.equal(await again.get(`s${n}`), `v${n}`);
});

test("the encrypted file holds no value in clear, is the owner's alone, and seals every entry anew", async (t) => {
  const dir = folder(t);
  const secrets = open(dir, none);

  await secrets.set("a", "the same value");
  await secrets.set("b", "the same value");

  const text = readFileSync(join(dir, "secrets.enc"), "utf8");
  const sealed = JSON.parse(text).secrets;
  assert.ok(!text.includes("the same value") && !text.includes(Buffer.from("the same value").toString("base64")));
  assert.notEqual(sealed.a, sealed.b);
  assert.notEqual(sealed.a.slice(0, 16), sealed.b.slice(0, 16));
  if (process.platform !== "win32")
    for (const file of ["secrets.enc", "secrets.key", "secrets.json"])
      assert.equal(statSync(join(dir, file)).mode & 0o777, 0o600, file);
});

test("an entry moved to another name, changed, or sealed with another key is refused", async (t) => {
  const dir = folder(t);
  const path = join(dir, "secrets.enc");
  await open(dir, none).set("a", "one");
  await open(dir, none).set("b", "two");
  const document = JSON.parse(readFileSync(path, "utf8"));

  writeFileSync(path, JSON.stringify({ ...document, secrets: { a: document.secrets.b, b: document.secrets.b } }));
  await assert.rejects(open(dir, none).get("a"), /"a".*damaged or was encrypted with another key/);
  assert.equal(await open(dir, none).get("b"), "two");

  const bytes = Buffer.from(document.secrets.a, "base64");
  bytes[14]! ^= 1;
  writeFileSync(path, JSON.stringify({ ...document, secrets: { a: bytes.toString("base64") } }));
  await assert.rejects(open(dir, none).get("a"), /damaged/);

  writeFileSync(path, JSON.stringify({ ...document, secrets: { a: "AAAA" } }));
  await assert.rejects(open(dir, none).get("a"), /damaged/);

  writeFileSync(path, "not json");
  await assert.rejects(open(dir, none).get("a"), /damaged/);
});

test("without its key the file is left alone and says what to do", async (t) => {
  const dir = folder(t);
  await open(dir, none).set("a", "one");
  const before = readFileSync(join(dir, "secrets.enc"), "utf8");
  rmSync(join(dir, "secrets.key"));

  await assert.rejects(open(dir, none).get("a"), /secrets\.key is missing.*restore the key/);
  await assert.rejects(open(dir, none).set("b", "two"), /secrets\.key is missing/);

  assert.equal(readFileSync(join(dir, "secrets.enc"), "utf8"), before);
  assert.ok(!existsSync(join(dir, "secrets.key")));
});

test("secrets of another data directory stand apart in the keyring, those of the usual one under the program's name", () => {
  assert.equal(keyringService("/home/a/.mcpproxy", "/home/a/.mcpproxy"), "proxy");
  const demo = keyringService("/home/a/.mcpproxy-demo", "/home/a/.mcpproxy");
  assert.match(demo, /^proxy-[0-9a-f]{12}$/);
  assert.notEqual(demo, keyringService("/tmp/x", "/home/a/.mcpproxy"));
});
