import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { addressOf, databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { folder } from "#test/kit/program.ts";

test("a URL is split into its parts, percent signs decoded", () => {
  const target = databaseTarget("postgres://us%40er:p%2Fss@db.example.com:6000/my%20db?sslmode=disable");

  assert.deepEqual(target, {
    host: "db.example.com",
    port: 6000,
    user: "us@er",
    password: "p/ss",
    database: "my db",
    ssl: false,
  });
});

for (const [url, host, address] of [
  ["postgresql://a@localhost/b", "localhost", "localhost:5432"],
  ["postgres://a@[::1]:7/b", "::1", "[::1]:7"],
  ["postgres://a@/b?host=/run/postgresql", "/run/postgresql", "/run/postgresql/.s.PGSQL.5432"],
] as const)
  test(`the host of ${url} is ${host}`, () => {
    const target = databaseTarget(url);

    assert.equal(target.host, host);
    assert.equal(addressOf(target), address);
  });

for (const [url, expected] of [
  ["postgres://a@localhost/b", false],
  ["postgres://a@127.0.0.1/b", false],
  ["postgres://a@/b?host=/run", false],
  ["postgres://a@db/b", { rejectUnauthorized: true }],
  ["postgres://a@localhost/b?sslmode=verify-full", { rejectUnauthorized: true }],
  ["postgres://a@db/b?sslmode=require", { rejectUnauthorized: false }],
  ["postgres://a@db/b?sslmode=disable", false],
] as const)
  test(`TLS for ${url}: ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(databaseTarget(url).ssl, expected);
  });

test("verify-ca trusts the named authority and accepts any host name", (t) => {
  const path = join(folder(t), "root.pem");
  writeFileSync(path, "PEM");

  const { ssl } = databaseTarget(`postgres://a@db/b?sslmode=verify-ca&sslrootcert=${path}`);

  assert.ok(ssl);
  assert.equal(ssl.ca, "PEM");
  assert.equal(ssl.checkServerIdentity?.("db", {} as never), undefined);
});

for (const [url, reason] of [
  ["no url", /it is not a URL/],
  ["mysql://a@b/c", /its scheme is mysql/],
  ["postgres://a:secret@host", /it names no database/],
  ["postgres://host/db", /it names no user/],
  ["postgres://a@/db", /it names no host/],
  ["postgres://a:%zz@host/db", /its password has a %/],
  ["postgres://a@h/db?sslmode=prefer", /sslmode is "prefer"; it can be disable, require/],
  ["postgres://a@h/db?pool=3", /unknown parameter "pool"/],
  ["postgres://a@h/db?sslrootcert=/nowhere/ca.pem", /sslrootcert cannot be read: ENOENT/],
] as const)
  test(`${url} is rejected without naming its password`, () => {
    assert.throws(
      () => databaseTarget(url),
      (error: Error & { code: string }) =>
        error.code === "cluster_url_invalid" && reason.test(error.message) && !error.message.includes("secret"),
    );
  });
