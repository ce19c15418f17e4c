import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Keyring } from "#lib/core/secrets/keyring.ts";
import { createSealingKeys } from "#lib/core/secrets/sealing-keys.ts";
import type { Authority, Client, Credentials } from "#lib/modules/oauth/credentials.ts";
import { createRecords } from "#lib/modules/oauth/records.ts";
import { memoryKeyring } from "#test/kit/keyring.ts";
import { memoryLog } from "#test/kit/upstream.ts";

const none = () => Promise.reject(new Error("there is none"));
const at = (server: string, owner = "") => ({ owner, server });
const credentials = { tokens: { access: "access-secret", refresh: "refresh-secret", obtained_at: 1 } };

function scene() {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  const kept = new Map<string, unknown>();
  const documents = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: unknown) => void (value === undefined ? kept.delete(key) : kept.set(key, value)),
    async change(key: string, edit: (current: unknown) => unknown) {
      kept.set(key, edit(kept.get(key)) ?? kept.get(key));
      return kept.get(key);
    },
    keys: async (prefix: string) => [...kept.keys()].filter((key) => key.startsWith(prefix)),
    shared: { exclusively: <T>(_: string, work: () => Promise<T>) => work(), onChange: () => () => {} },
  };
  const open = (keyring: () => Promise<Keyring> = none) =>
    createRecords(documents, createSealingKeys(dir, keyring, memoryLog().log));
  return { dir, kept, open, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

test("credentials are sealed, and opened again by another start", async () => {
  using it = scene();
  await it.open().put(at("a"), credentials);
  assert.ok(!JSON.stringify([...it.kept]).includes("secret"));
  assert.deepEqual(await it.open().get(at("a")), credentials);
  assert.equal(await it.open().get(at("b")), undefined);
  if (process.platform !== "win32") assert.equal(statSync(join(it.dir, "credentials.key")).mode & 0o777, 0o600);
});

test("a record with every member is returned as it was stored, and one that does not match its schema is damaged", async () => {
  using it = scene();
  const records = it.open();
  const authority: Authority = {
    server_url: "https://mcp.test/",
    issuer: "https://login.test",
    authorization_endpoint: "https://login.test/authorize",
    token_endpoint: "https://login.test/token",
    revocation_endpoint: "https://login.test/revoke",
    registration_endpoint: "https://login.test/register",
    iss_expected: false,
    takes_metadata_url: true,
    resource: "https://mcp.test/",
    auth_methods: ["none"],
    guessed: true,
    scopes: ["a"],
  };
  const client: Client = { id: "c", secret: "s", method: "client_secret_post", registered: true, redirect_uri: "r" };
  const full: Credentials = {
    authority,
    client: { ...client, scope: "a", expires_at: 3 },
    tokens: { access: "t", refresh: "r", obtained_at: 1, expires_at: 2, scope: "a" },
    pending: {
      state: "s",
      verifier: "v",
      correlation_id: "c",
      expires_at: 4,
      by: "me",
      authority,
      client,
      scope: "a",
    },
    unfinished: true,
    ended: { at: 1, reason: "revoked" },
    signed_out: true,
    needs: ["b"],
  };

  await records.put(at("a"), full);
  await records.put(at("b"), { tokens: { access: 7 } } as never);

  assert.deepEqual(await records.get(at("a")), full);
  await assert.rejects(records.get(at("b")), /damaged; sign in again/);
});

test("changes by two replicas at once are both stored", async () => {
  using it = scene();
  const replicas = [it.open(), it.open()];
  await replicas[0]!.put(at("a"), credentials);

  await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      replicas[i % 2]!.shared!.change(at("a"), (now) => ({ ...now, needs: [...(now.needs ?? []), `scope-${i}`] })),
    ),
  );

  const stored = await it.open().get(at("a"));
  assert.deepEqual([stored?.needs?.length, stored?.tokens?.access], [10, "access-secret"]);
});

test("each owner has credentials of their own, and those of one cannot be put in another's place", async () => {
  using it = scene();
  const records = it.open();
  await records.put(at("a", "alice"), credentials);
  assert.equal(await records.get(at("a")), undefined);
  const [[, sealed] = []] = it.kept;
  it.kept.set('credentials/["","a"]', sealed);
  await assert.rejects(records.get(at("a")), /damaged; sign in again/);
});

test("with a keyring the key is kept there, apart from named secrets", async () => {
  using it = scene();
  const ring = memoryKeyring();
  await it.open(async () => ring).put(at("a"), credentials);
  assert.throws(() => statSync(join(it.dir, "credentials.key")));
  const [name = ""] = ring.kept.keys();
  assert.ok(!/^[A-Za-z0-9_.-]{1,128}$/.test(name));
  assert.deepEqual(await it.open(async () => ring).get(at("a")), credentials);
});

test("a keyring that cannot be used now costs nothing: what it opens stays, what is new gets a key file", async () => {
  using it = scene();
  const ring = memoryKeyring();
  await it.open(async () => ring).put(at("a"), credentials);
  const without = it.open();
  await assert.rejects(without.get(at("a")), /keyring, which is not available: there is none/);
  await without.put(at("b"), credentials);
  const again = it.open(async () => ring);
  assert.deepEqual([await again.get(at("a")), await again.get(at("b"))], [credentials, credentials]);
});

test("a damaged key file is said, not replaced", async () => {
  using it = scene();
  await it.open().put(at("a"), credentials);
  writeFileSync(join(it.dir, "credentials.key"), "short");
  await assert.rejects(it.open().get(at("a")), /damaged/);
  await assert.rejects(it.open().put(at("a"), credentials), /damaged/);
});

test("where an answer belongs is kept by the hash of its state", async () => {
  using it = scene();
  const records = it.open();
  await records.putFlow("the-state", at("a", "alice"));
  assert.ok(!JSON.stringify([...it.kept]).includes("the-state"));
  assert.deepEqual(await it.open().flow("the-state"), at("a", "alice"));
  await records.putFlow("the-state", undefined);
  assert.equal(await records.flow("the-state"), undefined);
});
