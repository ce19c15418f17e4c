import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import clientCert from "#cli/commands/client-cert.ts";
import healthcheck from "#cli/commands/healthcheck.ts";
import trustCert from "#cli/commands/trust-cert.ts";
import { signedBy } from "#lib/modules/tls/pair.ts";
import { listenTest, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { folder } from "#test/kit/program.ts";
import { cert, foreign } from "#test/kit/tls.ts";

const tree = {
  "client-cert": async () => clientCert,
  "trust-cert": async () => trustCert,
  healthcheck: async () => healthcheck,
};

/** A data directory, and a home with nothing in it. */
function place(t: TestContext) {
  const dir = folder(t);
  const env = { HOME: join(dir, "home"), PATH: join(dir, "bin") };
  for (const path of Object.values(env)) mkdirSync(path);
  const certs = join(dir, "certs");
  const run = (...argv: string[]) => cli([...argv, "-d", dir], tree, { env });
  return { dir, env, certs, run };
}

test("a client certificate is made without a proxy, and says how it is used", async (t) => {
  const { certs, run } = place(t);

  const { code, out, err } = await run("client-cert", "laptop", "--days", "30");

  assert.equal(code, 0, err);
  const made = cert(certs, "clients/laptop.pem");
  assert.ok(signedBy(made, cert(certs, "ca.pem")));
  assert.equal(made.subject, "CN=laptop (proxy client)");
  const days = (Date.parse(made.validTo) - Date.now()) / 86_400_000;
  assert.ok(days > 29 && days <= 30, String(days));
  assert.match(out, /certificate +.*clients\/laptop\.pem, until .*\nkey +.*clients\/laptop-key\.pem/);
  assert.match(out, /curl --cacert .*ca\.pem --cert .* --key .*\nopenssl pkcs12 -export/);
});

test("a client certificate is not replaced unless that is meant", async (t) => {
  const { certs, run } = place(t);
  await run("client-cert", "ci");
  const before = cert(certs, "clients/ci.pem").serialNumber;

  const refused = await run("client-cert", "ci");
  assert.equal(refused.code, 2);
  assert.match(refused.err, /ci\.pem already exists; choose another name or replace it with --force/);
  assert.equal(cert(certs, "clients/ci.pem").serialNumber, before);
  assert.equal((await run("client-cert", "ci", "--force", "--json")).code, 0);
  assert.notEqual(cert(certs, "clients/ci.pem").serialNumber, before);
});

for (const argv of [
  ["../evil"],
  [".hidden"],
  ["a b"],
  ["x", "--days", "0"],
  ["x", "--days", "826"],
  ["x", "--days", "1.5"],
])
  test(`proxy client-cert ${argv.join(" ")} is refused`, async (t) => {
    assert.equal((await place(t).run("client-cert", ...argv)).code, 2);
  });

test("without an authority there is nothing to trust yet", async (t) => {
  const { code, err } = await place(t).run("trust-cert");

  assert.equal(code, 2);
  assert.match(err, /ca\.pem does not exist; the proxy creates it when it starts with tls\.enabled: true/);
});

const linux = { skip: process.platform !== "linux" && "the programs of Linux are played here" };

/** Puts programs into PATH that write down how they were called. */
function programs(dir: string, exit: number, ...names: string[]): () => string[] {
  const log = join(dir, "called");
  writeFileSync(log, "");
  for (const name of names) {
    const file = join(dir, "bin", name);
    writeFileSync(file, `#!/bin/sh\necho "${name} $*" >> '${log}'\necho played >&2\nexit ${exit}\n`);
    chmodSync(file, 0o755);
  }
  return () => readFileSync(log, "utf8").split("\n").slice(0, -1);
}

function withBrowser(home: string): string {
  const nss = join(home, ".pki/nssdb");
  mkdirSync(nss, { recursive: true });
  writeFileSync(join(nss, "cert9.db"), "");
  return nss;
}

test("--print shows what it would take, and does nothing", linux, async (t) => {
  const { dir, env, certs, run } = place(t);
  await run("client-cert", "x");
  const nss = withBrowser(env.HOME);
  const called = programs(dir, 0, "update-ca-certificates", "certutil");

  const { code, out } = await run("trust-cert", "--print", "--json");

  const { steps, fingerprint, ca } = JSON.parse(out) as {
    steps: { state: string; commands: string[] }[];
    fingerprint: string;
    ca: string;
  };
  assert.deepEqual([code, called()], [0, []]);
  assert.deepEqual([ca, fingerprint], [join(certs, "ca.pem"), cert(certs, "ca.pem").fingerprint256]);
  const name = `proxy ${fingerprint.replaceAll(":", "").slice(0, 12).toLowerCase()}`;
  const sudo = process.getuid?.() === 0 ? "" : "sudo ";
  assert.deepEqual(
    steps.map(({ state }) => state),
    ["left", "left"],
  );
  assert.deepEqual(
    steps.flatMap(({ commands }) => commands),
    [
      `${sudo}install -D -m 644 ${ca} /usr/local/share/ca-certificates/${name.replace(" ", "-")}.crt`,
      `${sudo}update-ca-certificates`,
      `certutil -d sql:${nss} -A -t 'C,,' -n '${name}' -i ${ca}`,
    ],
  );
});

test("what may be done is done, and taken back", linux, async (t) => {
  const { dir, env, certs, run } = place(t);
  await run("client-cert", "x");
  const nss = withBrowser(env.HOME);
  const called = programs(dir, 0, "certutil");

  const trusted = await run("trust-cert");
  const gone = await run("trust-cert", "--remove");

  assert.deepEqual([trusted.code, gone.code], [0, 0], trusted.err + gone.err);
  assert.match(trusted.out, new RegExp(`now trusted by the browser's certificates in ${nss}`));
  assert.match(trusted.out, /NODE_EXTRA_CA_CERTS=.*ca\.pem/);
  assert.match(gone.out, /removed from the browser's certificates/);
  const [added, removed] = called();
  assert.match(
    added!,
    new RegExp(`^certutil -d sql:${nss} -A -t C,, -n proxy [0-9a-f]{12} -i ${join(certs, "ca.pem")}$`),
  );
  assert.match(removed!, /^certutil -d sql:.* -D -n proxy [0-9a-f]{12}$/);
});

test("what fails is said, with the command to try by hand", linux, async (t) => {
  const { dir, env, run } = place(t);
  await run("client-cert", "x");
  withBrowser(env.HOME);
  programs(dir, 3, "certutil");

  const { code, out, err } = await run("trust-cert");

  assert.equal(code, 1);
  assert.match(err, /certutil: played/);
  assert.match(out, /failed for the browser's certificates.*\nremaining steps:\n {2}certutil -d/);
});

test("where no list of certificates is known, the file is named", linux, async (t) => {
  const { certs, run } = place(t);
  await run("client-cert", "x");

  const { code, out } = await run("trust-cert");

  // Programs of the administrator are looked for where the system keeps them as well.
  if (code === 0 || /remaining steps/.test(out)) return t.skip("needs a system without such a list");
  assert.match(
    out,
    new RegExp(`no known certificate store on this machine; configure ${join(certs, "ca.pem")} in each program`),
  );
});

test("the command line reaches a listener that speaks TLS by what lies in its data directory", async (t) => {
  const { env } = place(t);
  const app = await testApp({ connect: false, config: { tls: { enabled: true, require_client_cert: true } } });
  t.after(() => app.close());
  const { url, close } = await listenTest(app);
  t.after(close);
  const probe = (dir: string, more = {}) =>
    cli(["healthcheck", "--url", url, "-d", dir], tree, { env: { ...env, ...more } });
  const elsewhere = folder(t);
  const certs = join(app.dir, "certs");

  assert.deepEqual(await probe(app.dir), { code: 0, out: "ok\n", err: "" });
  const stranger = await probe(elsewhere);
  assert.equal(stranger.code, 1);
  assert.match(stranger.err, /this machine does not trust its certificate; set SERVICE_CA_CERT/);
  const named = {
    SERVICE_CA_CERT: join(certs, "ca.pem"),
    SERVICE_CLIENT_CERT: join(certs, "clients/cli.pem"),
    SERVICE_CLIENT_KEY: join(certs, "clients/cli-key.pem"),
  };
  assert.equal((await probe(elsewhere, named)).code, 0);
  const { SERVICE_CA_CERT } = named;
  const without = await probe(elsewhere, { SERVICE_CA_CERT });
  assert.equal(without.code, 1);
  assert.match(without.err, /cannot be reached/);
  const other = await foreign("CN=other", { from: Date.now() - 1000, days: 1, authority: true });
  writeFileSync(join(elsewhere, "other.pem"), other.cert);
  assert.equal((await probe(elsewhere, { ...named, SERVICE_CA_CERT: join(elsewhere, "other.pem") })).code, 1);
  assert.equal(statSync(named.SERVICE_CLIENT_KEY).mode & 0o077, 0);
  rmSync(join(certs, "ca.pem"));
  assert.equal((await probe(app.dir)).code, 1, "nothing is believed unverified");
});
