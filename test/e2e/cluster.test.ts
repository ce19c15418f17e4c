import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { until } from "#test/kit/upstream.ts";
import { type Daemon, type Json, serve } from "./daemon.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);

/** Starts two replicas of one cluster, which read their secrets from the environment. */
async function replicas(t: Parameters<typeof serve>[0]): Promise<[Daemon, Daemon]> {
  const env = { DATABASE_URL: server!.database(), CLUSTER_KEY: randomBytes(32).toString("base64") };
  const cluster = { database_url: `\${env:DATABASE_URL}`, encryption_keys: [`\${env:CLUSTER_KEY}`] };
  const one = () => serve(t, { config: { cluster }, env });
  return [await one(), await one()];
}

test("a replica that is killed while it changes data loses nothing that it has acknowledged", { skip }, async (t) => {
  const [a, b] = await replicas(t);
  const acknowledged: string[] = [];
  let killed = false;
  const write = async (writer: number) => {
    for (let n = 0; ; n++) {
      const name = `s${writer}-${n}`;
      try {
        await a.rest("POST /servers", { name, url: "http://127.0.0.1:9/mcp", enabled: false });
        acknowledged.push(name);
      } catch (error) {
        if (killed) return;
        throw error;
      }
    }
  };
  const writing = Promise.all([write(0), write(1)]);

  await Promise.race([writing, until("some changes are made", () => acknowledged.length >= 10)]);
  killed = true;
  a.child.kill("SIGKILL");
  await writing;

  const names = async () => ((await b.rest("GET /servers")).servers as Json[]).map(({ name }) => name);
  await until("the other replica has every change", async () => {
    const there = new Set(await names());
    return acknowledged.every((name) => there.has(name));
  });
  await b.rest("POST /tokens", { name: "after" });
  assert.deepEqual(
    (await b.rest("GET /tokens")).tokens.map(({ name }: Json) => name),
    ["after"],
  );
});
