import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { systemClock } from "#lib/core/base/clock.ts";
import { createSealingKeys } from "#lib/core/secrets/sealing-keys.ts";
import { DATABASE_FILE } from "#lib/core/store/database-identity.ts";
import { openStore } from "#lib/core/store/open-store.ts";
import { createRecords } from "#lib/modules/oauth/records.ts";
import { hostFiles } from "#lib/sqlite/files.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import { heardLog } from "#test/kit/log.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { folder, runProgram, type Scope, start } from "#test/kit/program.ts";
import { activityRecord, approvalRow, putApprovals, putToken, putUser } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";
import { type Json, KEY, serve } from "./daemon.ts";

/** The commands that move data to a cluster and back, as a person runs them. */
const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const DAY_MS = 86_400_000;
const NOW = Date.now();
/** Enough batches of 200 that the program is killed between the first one and the last one. */
const RECORDS = 6000;
const place = { owner: "", server: "git" };
const signIn = { tokens: { access: "a-secret", refresh: "r-secret", obtained_at: 1 } };
const keysOf = (dir: string) =>
  createSealingKeys(dir, () => Promise.reject(new Error("programs here have no keyring")), heardLog());
const open = (dir: string) => openStore({ dir, clock: systemClock, log: heardLog() });

/** Creates the data directory of a single proxy with all kinds of data. */
async function filledDirectory(scope: Scope, config: object): Promise<string> {
  const dir = join(folder(scope), "data");
  mkdirSync(dir, { mode: 0o700 });
  writeFileSync(join(dir, "mcp_config.json"), JSON.stringify(config), { mode: 0o600 });
  const store = await open(dir);
  await putApprovals(
    store.approvals,
    Array.from({ length: 300 }, (_, i) => approvalRow("git", `tool_${i}`, i % 2 ? { status: "approved" } : {})),
  );
  for (const name of ["bot", "other"])
    await putToken(store.tokens, {
      name,
      hash: name,
      prefix: "mcp_agt_0000",
      servers: ["git"],
      permissions: ["read"],
      createdAt: NOW,
      expiresAt: NOW + DAY_MS,
    });
  store.tokens.used(store.tokens.get("bot")!, 77);
  await putUser(store.users, {
    id: "u",
    issuer: "https://id.example",
    subject: "s",
    email: "u@example.com",
    groups: ["a"],
    admin: true,
    off: [],
    createdAt: 1,
    signedInAt: 2,
    bearersAfter: 3,
  });
  const known = { name: "git", identity: "i", baseline: "closed", noticedAt: 5 } as const;
  await store.knownServers.changeAll(["git"], () => known);
  const job = { id: "s1", status: "completed" };
  await store.scans.put({ id: "s1", server: "git", createdAt: 9, job, report: { verdict: "clean" } } as never, 10);
  await store.meta.set("profile.active", "work");
  await createRecords(store.documents, keysOf(dir)).put(place, signIn);
  await store.usage.count("git:log", NOW);
  await Promise.all(
    Array.from({ length: RECORDS }, (_, i) =>
      store.activity.add(
        activityRecord({
          at: NOW - (i % 5) * DAY_MS - i,
          server_name: "git",
          arguments: { n: i, text: "dé\0ff" },
          ...(i % 7 === 0 && { response: "x".repeat(100), response_truncated: true, duration_ms: i / 3 }),
        }),
      ),
    ),
  );
  await store.close();
  return dir;
}

/** Numbers that each database gives anew, and sums that are computed from the records. */
const OWN_TABLES = /^(sqlite_|activity_(groups|sums|summed|payload)$)/;
const OWN_META = ["database.id", "known_servers.inherited", "disk_tried_at", "state_keys"];

/** All rows of a data directory's database by table, without what belongs to one directory. */
async function contentOf(dir: string): Promise<Map<string, string[]>> {
  const { DatabaseSync } = await loadSqlite(hostFiles);
  const database = new DatabaseSync(join(dir, DATABASE_FILE));
  try {
    const names = database.prepare("select name from sqlite_master where type = 'table' order by name").all();
    const rowsOf = (table: string) => {
      const from = table === "activity" ? "activity left join activity_payload using (seq)" : table;
      return database
        .prepare(`select * from ${from}`)
        .all()
        .filter(({ key }) => !OWN_META.includes(String(key)))
        .map(({ seq: _, ...row }) => JSON.stringify(isSealed(row) ? row.key : row))
        .sort();
    };
    return new Map(
      names
        .map(({ name }) => String(name))
        .filter((name) => !OWN_TABLES.test(name))
        .map((name) => [name, rowsOf(name)]),
    );
  } finally {
    database.close();
  }
}

/** Number of rows and hash of each table, as a command printed them. */
const digestsIn = (text: string) =>
  new Map(Array.from(text.matchAll(/^(\w+) +(\d+ row\(s\), hash \w{16})$/gm), ([, table, digest]) => [table, digest]));

/** A stored sign-in is encrypted with another key. */
const isSealed = (row: { key?: unknown }) => String(row.key).startsWith("credentials/");

test("the commands move a data directory to a cluster, also after kill -9, and back", { skip }, async (t) => {
  const url = server!.database();
  const name = new URL(url).pathname.slice(1);
  const env = { DATABASE_URL: url, CLUSTER_KEY: randomBytes(32).toString("base64") };
  const own = {
    listen: "127.0.0.1:0",
    api_key: KEY,
    tools_limit: 20,
    mcpServers: [{ name: "git", url: "http://127.0.0.1:9/mcp", enabled: false }],
  };
  const cluster = { database_url: `\${env:DATABASE_URL}`, encryption_keys: [`\${env:CLUSTER_KEY}`] };
  const dir = await filledDirectory(t, { ...own, cluster });
  const before = await contentOf(dir);
  const proxy = (...argv: string[]) => runProgram(t, [...argv, "--data-dir", dir], env);

  const first = start(t, ["cluster", "migrate", "--data-dir", dir], env);
  await first.says(/activity: \d+ rows/);
  first.child.kill("SIGKILL");
  assert.equal((await first.ended).code, null);
  // The database may still be committing what was sent last.
  await until("the database has noticed", () => {
    const open = server!.psql(
      `select count(*) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
    );
    return open === "0";
  });
  const there = Number(server!.psql("select count(*) from activity", name));
  assert.ok(there > 0 && there < RECORDS, `${there} records were moved`);

  const replica = await proxy("serve");
  assert.notEqual(replica.code, 0);
  assert.match(replica.err, /only in part; repeat: .* cluster migrate/);

  const second = await proxy("cluster", "migrate");
  assert.equal(second.code, 0, second.err);
  assert.equal(/activity: \d+ rows\n(?!activity)/.exec(second.err)?.[0], `activity: ${RECORDS - there} rows\n`);
  assert.doesNotMatch(second.err, /approvals: /, "what was moved is not moved again");
  assert.match(second.out, /all rows are equal in both databases; start the replicas now/);
  const moved = digestsIn(second.out);
  assert.match(moved.get("activity") ?? "", new RegExp(`^${RECORDS} row`));
  assert.match(moved.get("approvals") ?? "", /^300 row/);
  assert.deepEqual(await contentOf(dir), before, "the data directory is only read");

  const back = join(dir, "..", "back");
  const exported = await proxy("cluster", "export", back);
  assert.equal(exported.code, 0, exported.err);
  const returned = digestsIn(exported.out);
  assert.equal(returned.size, moved.size - 1, "the last reports are computed from the scans");
  for (const [table, digest] of returned) assert.equal(digest, moved.get(table), table);
  assert.deepEqual(await contentOf(back), before);
  assert.deepEqual(JSON.parse(readFileSync(join(back, "mcp_config.json"), "utf8")), own);
  const store = await open(back);
  assert.deepEqual(await createRecords(store.documents, keysOf(back)).get(place), signIn);
  await store.close();

  const daemon = await serve(t, { dir: back });
  const { tokens } = await daemon.rest("GET /tokens");
  assert.deepEqual(tokens.map((token: Json) => token.name).sort(), ["bot", "other"]);
});
