import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Fault } from "#lib/core/base/fault.ts";
import { maySignFor } from "#lib/modules/tls/issue.ts";
import { newClient, serverPair, signedBy } from "#lib/modules/tls/pair.ts";
import { folder } from "#test/kit/program.ts";
import { cert, foreign, pem } from "#test/kit/tls.ts";

const NAMES = ["127.0.0.1", "::1", "localhost"];
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2030, 0, 1);

/** The folder of one instance, and what was logged of it. */
function place(t: TestContext) {
  const dir = join(folder(t), "certs");
  const said: string[] = [];
  const log = { info: (text: string) => void said.push(text), warn: (text: string) => void said.push(`! ${text}`) };
  const pair = (more: { names?: string[]; clients?: boolean; now?: number } = {}) =>
    serverPair({ dir, names: NAMES, clients: false, now: NOW, log, ...more });
  return { dir, said, pair, log };
}

test("the first start makes an authority, a key and a certificate for every name", async (t) => {
  const { dir, said, pair } = place(t);

  const made = await pair({ names: [...NAMES, "box.lan", "10.1.2.3"] });

  const [ca, shown] = [cert(dir, "ca.pem"), cert(dir, "server.pem")];
  assert.deepEqual(made, { cert: pem(dir, "server.pem"), key: pem(dir, "server-key.pem") });
  assert.ok(ca.ca && signedBy(shown, ca) && !shown.ca);
  assert.ok(shown.checkPrivateKey(createPrivateKey(made.key)));
  for (const host of ["localhost", "box.lan"]) assert.equal(shown.checkHost(host), host);
  for (const address of ["127.0.0.1", "::1", "10.1.2.3"]) assert.equal(shown.checkIP(address), address);
  assert.equal(shown.checkHost("other.lan"), undefined);
  assert.equal(Date.parse(shown.validTo), NOW + 397 * DAY_MS);
  assert.match(
    said.join("\n"),
    /! created a local authority; programs trust it after: proxy trust-cert\ncreated a certificate/,
  );
});

test("keys are their owner's alone, and the folder is, too", { skip: process.platform === "win32" }, async (t) => {
  const { dir, pair, log } = place(t);

  await pair();
  await newClient({ dir, name: "laptop", days: 1, now: NOW, log });

  const mode = (...path: string[]) => (statSync(join(dir, ...path)).mode & 0o777).toString(8);
  assert.deepEqual(
    [mode("."), mode("ca-key.pem"), mode("server-key.pem"), mode("clients"), mode("clients/laptop-key.pem")],
    ["700", "600", "600", "700", "600"],
  );
  assert.deepEqual(
    [...readdirSync(dir), ...readdirSync(join(dir, "clients"))].filter((name) => name.endsWith(".tmp")),
    [],
  );
});

test("the next start finds them and changes nothing", async (t) => {
  const { dir, said, pair } = place(t);
  const made = await pair();
  const ca = pem(dir, "ca.pem");
  said.length = 0;

  assert.deepEqual(await pair({ now: NOW + 360 * DAY_MS }), made);
  assert.deepEqual([pem(dir, "ca.pem"), said], [ca, []]);
});

test("a certificate is made anew a month ahead of its end, by the same authority and with the same key", async (t) => {
  const { dir, pair } = place(t);
  const made = await pair();
  const ca = pem(dir, "ca.pem");

  const next = await pair({ now: NOW + 368 * DAY_MS });

  assert.notEqual(next.cert, made.cert);
  assert.deepEqual([next.key, pem(dir, "ca.pem")], [made.key, ca]);
  assert.ok(signedBy(new X509Certificate(next.cert), cert(dir, "ca.pem")));
});

test("the authority is made anew ahead of its own end, and certificates never outlast it", async (t) => {
  const { dir, pair } = place(t);
  await pair();
  const key = pem(dir, "ca-key.pem");
  const end = Date.parse(cert(dir, "ca.pem").validTo);

  const late = new X509Certificate((await pair({ now: end - 200 * DAY_MS })).cert);
  assert.ok(Date.parse(late.validTo) <= end);
  await pair({ now: end - 20 * DAY_MS });
  assert.ok(Date.parse(cert(dir, "ca.pem").validTo) > end);
  assert.equal(pem(dir, "ca-key.pem"), key);
});

test("the authority may sign for the names of this proxy and for nobody else", async (t) => {
  const { dir, pair } = place(t);
  await pair({ names: [...NAMES, "box.lan", "*.lab.test", "10.1.2.3"] });
  const ca = pem(dir, "ca.pem");

  assert.ok(maySignFor(ca, ["box.lan", "*.lab.test", "lab.test", "10.1.2.3", "localhost", "::1"]));
  for (const other of ["lan", "other.lan", "10.1.2.4", "2001:db8::1"]) assert.ok(!maySignFor(ca, [other]), other);
});

test("a further name makes authority and certificate anew; clients of the old one are still let in", async (t) => {
  const { dir, pair, log } = place(t);
  await pair();
  const client = await newClient({ dir, name: "laptop", days: 300, now: NOW, log });
  const [ca, key] = [pem(dir, "ca.pem"), pem(dir, "ca-key.pem")];

  const next = await pair({ names: [...NAMES, "box.lan"] });

  assert.notEqual(pem(dir, "ca.pem"), ca);
  assert.equal(pem(dir, "ca-key.pem"), key);
  assert.equal(new X509Certificate(next.cert).checkHost("box.lan"), "box.lan");
  assert.ok(signedBy(cert(client.cert), cert(dir, "ca.pem")));
});

test("with the authority taken away everything is made anew", async (t) => {
  const { dir, pair } = place(t);
  await pair();
  for (const name of ["ca.pem", "ca-key.pem"]) rmSync(join(dir, name));

  const next = new X509Certificate((await pair()).cert);

  assert.ok(signedBy(next, cert(dir, "ca.pem")));
});

test("where clients are asked for certificates, the authority that signs them is told", async (t) => {
  const { dir, pair } = place(t);

  const first = await pair({ clients: true });
  assert.equal(first.ca, pem(dir, "ca.pem"));
  assert.deepEqual(await pair({ clients: true }), first);
});

test("a certificate that somebody brought along is used as it is, even past its end", async (t) => {
  const { dir, said, pair } = place(t);
  const theirs = await foreign("CN=Brought Along", { from: NOW - 10 * DAY_MS, days: 5 });
  put(dir, { "server.pem": theirs.cert, "server-key.pem": theirs.key });

  assert.deepEqual(await pair({ names: [...NAMES, "box.lan"] }), theirs);
  assert.match(said.join(), /! the certificate .*server\.pem expired on .*; clients reject it/);
  assert.ok(!existsSync(join(dir, "ca.pem")));
  const asking = await pair({ clients: true });
  assert.deepEqual(asking, { ...theirs, ca: pem(dir, "ca.pem") });
});

test("an authority that somebody brought along with its key signs, and is never made anew", async (t) => {
  const { dir, pair } = place(t);
  const theirs = await foreign("CN=Company", { from: NOW, days: 100, authority: true });
  put(dir, { "ca.pem": theirs.cert, "ca-key.pem": theirs.key });

  const made = new X509Certificate((await pair()).cert);

  assert.ok(signedBy(made, cert(dir, "ca.pem")));
  assert.equal(pem(dir, "ca.pem"), theirs.cert);
});

const other = () => foreign("CN=Other", { from: NOW, days: 5 });
const own = () => foreign("CN=Own", { from: NOW, days: 5 });
const CANNOT: [rule: string, files: () => Promise<Record<string, string>>, reason: RegExp][] = [
  [
    "a certificate without its key",
    async () => ({ "server.pem": (await own()).cert }),
    /server\.pem exists without its key; put the key in .*server-key\.pem/,
  ],
  [
    "a key of another certificate",
    async () => ({ "server.pem": (await own()).cert, "server-key.pem": (await other()).key }),
    /server-key\.pem is not the key of .*server\.pem/,
  ],
  [
    "a certificate that is none",
    async () => ({ "server.pem": "nonsense", "server-key.pem": (await own()).key }),
    /server\.pem contains no PEM certificate/,
  ],
  [
    "a key that is none",
    async () => ({ "server.pem": (await own()).cert, "server-key.pem": "nonsense" }),
    /server-key\.pem contains no PEM private key/,
  ],
  [
    "a key behind a passphrase",
    async () => ({
      "server.pem": (await own()).cert,
      "server-key.pem": createPrivateKey((await own()).key)
        .export({ format: "pem", type: "pkcs8", cipher: "aes-256-cbc", passphrase: "p" })
        .toString(),
    }),
    /server-key\.pem has a passphrase; store it without one/,
  ],
  [
    "an authority without its key",
    async () => ({ "ca.pem": (await own()).cert }),
    /ca\.pem exists without its key, so it cannot sign certificates/,
  ],
  [
    "an authority with another key",
    async () => ({ "ca.pem": (await own()).cert, "ca-key.pem": (await other()).key }),
    /ca-key\.pem is not the key of .*ca\.pem/,
  ],
  [
    "an authority with a key of a kind that does not sign here",
    async () => {
      const { privateKey } = generateKeyPairSync("ed25519");
      return { "ca-key.pem": privateKey.export({ format: "pem", type: "pkcs8" }).toString() };
    },
    /ca-key\.pem: keys of type ed25519 are not supported/,
  ],
];
for (const [rule, files, reason] of CANNOT)
  test(`${rule} keeps the listener from opening, with what to do`, async (t) => {
    const { dir, pair } = place(t);
    put(dir, await files());

    await assert.rejects(pair(), (error: Fault) => {
      assert.equal(error.code, "tls_unusable");
      assert.match(error.message, reason);
      return true;
    });
  });

test("a folder that cannot be written is named", async (t) => {
  const file = join(folder(t), "file");
  writeFileSync(file, "");

  const options = { dir: join(file, "certs"), names: NAMES, clients: false, now: NOW, log: place(t).log };
  await assert.rejects(serverPair(options), (error: Fault) => /certs.*cannot be/.test(error.message));
});

test("two starts at the same moment agree on one key", async (t) => {
  const { dir, pair } = place(t);

  const made = await Promise.all([pair(), pair(), pair()]);

  const keys = new Set(made.map(({ key }) => key));
  assert.deepEqual([...keys], [pem(dir, "server-key.pem")]);
  assert.ok(cert(dir, "ca.pem").checkPrivateKey(createPrivateKey(pem(dir, "ca-key.pem"))));
  for (const { cert: text } of made) assert.ok(signedBy(new X509Certificate(text), cert(dir, "ca.pem")));
});

function put(dir: string, files: Record<string, string>): void {
  mkdirSync(dir, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text, { mode: 0o600 });
}
