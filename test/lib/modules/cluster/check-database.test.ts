import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { checkDatabase, type DatabaseFacts, unsuitability } from "#lib/modules/cluster/check-database.ts";
import { openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { folder } from "#test/kit/program.ts";
import { foreign } from "#test/kit/tls.ts";

const GOOD: DatabaseFacts = {
  version: 150_018,
  shownVersion: "15.18",
  encoding: "UTF8",
  standby: false,
  readOnly: false,
  schema: "public",
  creates: true,
};

for (const [what, facts, expected] of [
  ["a current server", {}, undefined],
  ["version 13", { version: 130_000 }, undefined],
  ["version 12", { version: 120_022, shownVersion: "12.22" }, /PostgreSQL 12\.22.*use version 13 or newer/],
  ["another encoding", { encoding: "LATIN1" }, /encoding is LATIN1.*createdb --encoding=UTF8/],
  ["a standby", { standby: true }, /standby.*name the primary/],
  ["a read-only user", { readOnly: true }, /read-only.*default_transaction_read_only/],
  ["no schema", { schema: null, creates: null }, /no schema.*create schema authorization "app"/],
  ["no right to create", { creates: false }, /"app" may not create tables.*grant create on schema "public" to "app"/],
] as const)
  test(`${what}: ${expected ? "rejected with a remedy" : "accepted"}`, () => {
    const problem = unsuitability({ ...GOOD, ...facts }, "app");

    if (expected) assert.match(`${problem?.reason}; ${problem?.remedy}`, expected);
    else assert.equal(problem, undefined);
  });

const server = withoutPostgres
  ? undefined
  : await startPostgres(after, {
      files: {
        "pg_hba.conf": `host all proxy_test,powerless 127.0.0.1/32 trust
          host all locked 127.0.0.1/32 scram-sha-256\n`,
      },
    });

async function codeAndText(url: string): Promise<{ code: string; text: string }> {
  const database = openDatabase(databaseTarget(url), { name: "test", connectTimeoutMs: 500 });
  try {
    await checkDatabase(database);
    return { code: "", text: "" };
  } catch (error) {
    return { code: (error as { code: string }).code, text: (error as Error).message };
  } finally {
    database.close();
  }
}

test("what a real server refuses names the remedy", { skip: withoutPostgres }, async (t) => {
  server!.psql("create role locked login password 'right'; create role powerless login");
  server!.psql("create database latin encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'");
  server!.psql("create database narrow");
  server!.psql("revoke create on schema public from public", "narrow");
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  const rude = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  t.after(() => [silent.close(), rude.close()]);
  await Promise.all([silent, rude].map((one) => once(one, "listening")));
  const portOf = (one: typeof silent) => (one.address() as { port: number }).port;
  const { port } = server!;

  for (const [url, code, text] of [
    [server!.url(), "", /^$/],
    [
      "postgres://a@nowhere.invalid/b?sslmode=disable",
      "cluster_database_unreachable",
      /name (is unknown|cannot be resolved)/,
    ],
    [
      "postgres://a@127.0.0.1:1/b",
      "cluster_database_unreachable",
      /refused; start the server, or correct host and port/,
    ],
    ["postgres://a@/b?host=/nowhere", "cluster_database_unreachable", /socket does not exist/],
    [
      `postgres://a@127.0.0.1:${portOf(silent)}/b`,
      "cluster_database_unreachable",
      /did not answer in time; check the network/,
    ],
    [
      `postgres://a@127.0.0.1:${portOf(rude)}/b`,
      "cluster_database_unreachable",
      /check that a PostgreSQL server listens there/,
    ],
    [
      `postgres://locked:wrong@127.0.0.1:${port}/postgres`,
      "cluster_sign_in_refused",
      /"locked": password authentication failed.*correct the user or the password/,
    ],
    [`postgres://locked@127.0.0.1:${port}/postgres`, "cluster_database_unreachable", /requires a password; add one/],
    [`postgres://stranger@127.0.0.1:${port}/postgres`, "cluster_sign_in_refused", /no pg_hba\.conf entry/],
    [server!.url("absent"), "cluster_database_missing", /no database "absent"; create it with: createdb/],
    [
      `${server!.url()}?sslmode=require`,
      "cluster_database_unreachable",
      /does not offer TLS; enable ssl on the server/,
    ],
    [server!.url("latin"), "cluster_database_unsuitable", /encoding is LATIN1/],
    [server!.url("narrow", "powerless"), "cluster_database_unsuitable", /"powerless" may not create tables/],
  ] as const) {
    const found = await codeAndText(url);

    assert.equal(found.code, code, `${url}: ${found.text}`);
    assert.match(found.text, text, url);
    assert.doesNotMatch(found.text, /wrong@|:wrong/);
  }
});

test("a certificate is verified unless sslmode says otherwise", { skip: withoutPostgres }, async (t) => {
  const { cert, key } = await foreign("CN=localhost", { from: Date.now() - 86_400_000, days: 9, authority: true });
  const rootPath = join(folder(t), "root.pem");
  writeFileSync(rootPath, cert);
  const secured = await startPostgres((end) => t.after(end), {
    settings: ["ssl=on"],
    files: { "server.crt": cert, "server.key": key },
  });

  for (const [parameters, code] of [
    ["sslmode=require", ""],
    ["sslmode=verify-full", "cluster_database_unreachable"],
    [`sslmode=verify-full&sslrootcert=${rootPath}`, ""],
    [`sslmode=verify-ca&sslrootcert=${rootPath}`, ""],
  ] as const) {
    const found = await codeAndText(`postgres://proxy_test@localhost:${secured.port}/postgres?${parameters}`);

    assert.equal(found.code, code, `${parameters}: ${found.text}`);
    if (code) assert.match(found.text, /its certificate is not trusted:.*sslrootcert=PATH/);
  }
});
