import assert from "node:assert/strict";
import { connect as connectHttp2 } from "node:http2";
import { after, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { processPlacement } from "#lib/core/extension/process-placement.ts";
import { type Caller, FULL_SCOPE } from "#lib/core/schema/caller.ts";
import { definitionHash } from "#lib/core/upstream/definition-hash.ts";
import { disableServer, enableServer } from "#lib/core/verbs/servers/enable.ts";
import { runWatchdog } from "#lib/daemon/watchdog.ts";
import type { Database } from "#lib/modules/cluster/database.ts";
import { hopIdentity, replicaHost } from "#lib/modules/cluster/hop/hop-authority.ts";
import { encodeCaller } from "#lib/modules/cluster/hop/hop-caller.ts";
import { noteLine } from "#lib/modules/cluster/hop/hop-protocol.ts";
import { issueAuthority, issueClient, newKey } from "#lib/modules/tls/issue.ts";
import { admin } from "#test/kit/actor.ts";
import { newer, older } from "#test/kit/asked-client.ts";
import { knowItems } from "#test/kit/items.ts";
import { jsonOf, program, textOf, toolCall } from "#test/kit/mcp.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { sharingReplicas } from "#test/kit/sharing-replicas.ts";
import { issue } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";

// This file is its own helper: started again, it is the watchdog of a replica.
const SELF = fileURLToPath(import.meta.url);
if (process.argv[2] === "watchdog") void runWatchdog().then(() => process.exit(0));
else await tests();

async function tests() {
  const skip = withoutPostgres;
  const server = skip ? undefined : await startPostgres(after);
  const cluster = (t: TestContext) =>
    sharingReplicas(t, { url: server!.database(), watchdog: [process.execPath, SELF, "watchdog"] });
  /** Starts two replicas of one configuration. The first one runs the server. */
  const pair = async (t: TestContext, ...flags: string[]) => {
    const { replica, ...rest } = cluster(t);
    const options = { servers: [program("up", ...flags)] };
    const owner = await replica(options);
    const front = await replica(options);
    return { ...rest, owner, front };
  };

  for (const era of ["legacy", "modern"])
    test(`calls of a server that another replica runs: results, errors, progress, large texts (${era})`, {
      skip,
    }, async (t) => {
      const { owner, front } = await pair(t, "--era", era);
      const [near, far] = [await owner.client("/mcp/all"), await front.client("/mcp/all")];
      const call = (name: string, args: Record<string, unknown> = {}) =>
        far.callTool({ name: `up__${name}`, arguments: args });
      const steps: unknown[] = [];

      const pids = [near, far].map(
        async (client) => jsonOf(await client.callTool({ name: "up__stats", arguments: {} })).pid,
      );
      const echoed = await call("echo", { text: "grüß \u2028 dich" });
      const failed = await call("fail", { message: "no" });
      await assert.rejects(call("rpc_error", { message: "wrong" }), /wrong/);
      const big = await call("big", { kb: 3000 });
      await far.callTool({ name: "up__progress", arguments: { steps: 3, ms: 5 } }, undefined, {
        onprogress: (step) => steps.push(step.progress),
      });

      assert.equal(await pids[0], await pids[1]);
      assert.deepEqual(jsonOf(echoed), { text: "grüß \u2028 dich" });
      assert.deepEqual([failed.isError, textOf(failed)], [true, "no"]);
      assert.ok(textOf(big).length >= 3_000_000);
      assert.equal(steps.length, 3);
      assert.equal(
        front.app.upstreams.get("up")!.status().protocolVersion,
        era === "modern" ? "2026-07-28" : "2025-11-25",
      );
    });

  test("a replica that stops hands its process over: calls under way finish, and later ones wait for the next owner", {
    skip,
  }, async (t) => {
    const { owner, front } = await pair(t);
    const client = await front.client("/mcp/all");
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      client.callTool({ name: `up__${name}`, arguments: args });
    const before = jsonOf(await call("stats")).pid;
    const slow = call("slow", { ms: 2000 });
    const running = ({ app }: typeof front) => app.upstreams.get("up")!.load().active;
    // At the owner: a request that reaches it later waits for the next owner as well.
    await until("the call is under way", () => running(owner) === 1);

    const leaving = owner.app.part(processPlacement)!.leave(20_000);
    const second = call("stats");
    await until("the second call waits", () => running(front) === 2);
    await leaving;
    assert.notEqual((await slow).isError, true);
    await owner.app.close();
    const after = [jsonOf(await second).pid, jsonOf(await call("stats")).pid];

    assert.equal(after[0], after[1]);
    assert.notEqual(after[0], before);
  });

  test("a caller that cancels ends the call at the server", { skip }, async (t) => {
    const { owner, front } = await pair(t);
    const client = await front.client("/mcp/all");
    const control = new AbortController();
    const call = client.callTool({ name: "up__slow", arguments: { ms: 60_000 } }, undefined, {
      signal: control.signal,
    });
    await until("the call is under way", () => owner.app.upstreams.get("up")!.load().active === 1);
    control.abort();

    await assert.rejects(call);

    await until("the server saw it", async () => {
      const stats = jsonOf(await client.callTool({ name: "up__stats", arguments: {} }));
      return stats.cancelled === 1;
    });
  });

  test("questions of the server reach the client at the other replica", { skip }, async (t) => {
    const { front } = await pair(t);
    const client = await older(front, { name: "Amy" });
    t.after(() => client.close());

    const form = (await client.ask("tool", "up", "form")) as { content: unknown };
    const sampled = (await client.ask("tool", "up", "sampling")) as { model: string };

    assert.deepEqual([form.content, sampled.model], [{ name: "Amy" }, "m"]);
    assert.equal(client.seen.length, 2);
  });

  test("questions of a server of 2026-07-28 reach the client at the other replica", { skip }, async (t) => {
    const { front } = await pair(t, "--era", "modern");
    const client = await newer(front, { name: "Bo" });
    t.after(() => client.close());

    const form = (await client.ask("tool", "up", "form")) as { content: unknown };

    assert.deepEqual(form.content, { name: "Bo" });
  });

  for (const era of ["legacy", "modern"])
    test(`a change of the server's tools is noticed by every replica (${era})`, { skip }, async (t) => {
      const { front } = await pair(t, "--era", era);
      const client = await front.client("/mcp/all");

      await client.callTool({ name: "up__add_tool", arguments: { name: "fresh", description: "new" } });

      await until("the tool is known", () => front.app.catalog.get("up:fresh")?.present === true);
    });

  for (const sdk of ["1", "2"])
    test(`updates of a resource reach a client at the other replica (SDK ${sdk})`, { skip }, async (t) => {
      const { replica } = cluster(t);
      const servers = [
        {
          name: "up",
          trust_mode: "auto" as const,
          command: process.execPath,
          args: ["test/programs/upstream-live.mjs", sdk, "stdio"],
        },
      ];
      const replicas = [await replica({ servers }), await replica({ servers })];
      for (const { app } of replicas) knowItems(app, [{ kind: "resource", server: "up", name: "file:///log" }]);
      const client = await replicas[1]!.client("/mcp/all");
      const seen: string[] = [];
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.push(params.uri));

      await client.subscribeResource({ uri: "file:///log" });
      await client.callTool({ name: "up__touch", arguments: { uri: "file:///log", times: 1 } });

      await until("the client is notified", () => seen.length > 0);
      assert.deepEqual(seen, ["file:///log"]);
    });

  test("a replica that ends is replaced, and a call under way fails with the reason", { skip }, async (t) => {
    const { owner, front } = await pair(t);
    const client = await front.client("/mcp/all");
    const under = client.callTool({ name: "up__slow", arguments: { ms: 60_000 } });
    const before = jsonOf(await client.callTool({ name: "up__stats", arguments: {} })).pid;
    const began = performance.now();

    await owner.app.close();
    assert.match(textOf(await under), /server "up" failed: it was stopped/);
    await until("the other replica runs it", () => front.app.upstreams.get("up")!.status().pid !== undefined);

    const after = jsonOf(await client.callTool({ name: "up__stats", arguments: {} })).pid;
    assert.notEqual(before, after);
    assert.ok(performance.now() - began < 8000, `${performance.now() - began} ms`);
  });

  test("calls at a replica that has not reached the owner yet wait until another one takes over", {
    skip,
  }, async (t) => {
    const { replica, database } = cluster(t);
    const servers = [program("up")];
    const first = await replica({ servers });
    await disableServer(first.app, "up", admin);
    await first.app.close();
    const { app, client } = await replica({ servers });
    const agent = await client("/mcp/all");
    const up = () => app.upstreams.get("up")?.status().state;
    // A replica that was killed: its lease has not ended, and nobody listens at its address.
    await database.run(async (sql) => {
      await sql("insert into replica (id, address, seen_at) values ('killed', '127.0.0.1:1', clock_timestamp())");
      await sql(
        "insert into lease (name, holder, token, expires_at) values ('replica/killed', 'killed', 7, clock_timestamp() + interval '3 s')",
      );
      await sql("update process_owner set replica = 'killed', lease_token = 7, token = token + 1 where server = 'up'");
    });
    await enableServer(app, "up", admin);
    await until("the owner cannot be reached", () => up() === "Error");

    const answer = await agent.callTool({ name: "up__echo", arguments: { text: "late" } });

    assert.deepEqual(jsonOf(answer), { text: "late" });
  });

  test("calls at a replica that lost the lease for its process wait until a replica runs it again", {
    skip,
  }, async (t) => {
    const { replica, database } = cluster(t);
    const { app, client } = await replica({ servers: [program("up")] });
    const agent = await client("/mcp/all");
    const up = () => app.upstreams.get("up")?.status().state;
    await database.run((sql) =>
      sql(
        "update lease set holder = 'other', token = token + 1, expires_at = clock_timestamp() + interval '3 s' where name like 'replica/%'",
      ),
    );
    await until("the lease is lost", () => up() !== "Ready");

    const answer = await agent.callTool({ name: "up__echo", arguments: { text: "late" } });

    assert.deepEqual(jsonOf(answer), { text: "late" });
  });

  /** A connection to the owner of "up", as another replica makes it. */
  const dial = async (
    t: TestContext,
    { database, key }: { database: Database; key: Buffer },
    credentials?: { cert?: string; key?: string },
  ) => {
    const [row] = await database.run((sql) =>
      sql<{ id: string; address: string; token: number }>(
        "select id, address, token from replica join process_owner on replica = id where server = 'up'",
      ),
    );
    const { id, address, token } = row!;
    const genuine = await hopIdentity(database, { id: "third", keys: [key], now: Date.now() });
    const session = connectHttp2(`https://${address}`, {
      ca: genuine.ca,
      servername: replicaHost(id),
      ...(credentials ?? genuine.client),
    });
    session.on("error", () => {});
    t.after(() => session.destroy());
    const open = (headers: Record<string, string>) => {
      const stream = session.request({ ":method": "POST", ":path": "/process", "x-hop-server": "up", ...headers });
      stream.setEncoding("utf8");
      const status = new Promise<string>((done) => {
        stream.on("response", (answer) => done(String(answer[":status"])));
        stream.on("error", () => done("error"));
        stream.on("close", () => done("closed"));
      });
      return { stream, status };
    };
    return { open, token: String(token) };
  };

  test("a replica that knows another owner or another definition of the server is refused", { skip }, async (t) => {
    const { owner, ...rest } = await pair(t);
    const { open, token } = await dial(t, rest);
    const definition = definitionHash(owner.app.config.server("up")!);

    const statuses = await Promise.all([
      open({ "x-hop-token": token, "x-hop-definition": definition }).status,
      open({ "x-hop-token": `${token}0`, "x-hop-definition": definition }).status,
      open({ "x-hop-token": token, "x-hop-definition": "other" }).status,
    ]);

    assert.deepEqual(statuses, ["200", "409", "409"]);
  });

  test("the replica that runs a server decides again: a call needs a caller with rights", { skip }, async (t) => {
    const { owner, ...rest } = await pair(t);
    const token = await issue(owner.app, { name: "bot", permissions: ["read"] });
    assert.ok(token);
    const { open, token: ownership } = await dial(t, rest);
    const definition = definitionHash(owner.app.config.server("up")!);
    const { stream } = open({ "x-hop-token": ownership, "x-hop-definition": definition });
    let text = "";
    stream.on("data", (chunk) => {
      text += chunk;
    });
    const agent = (name: string): Caller => ({ tier: "agent", name, listener: "tcp", scope: FULL_SCOPE });
    const callOf = (id: number, tool: string, caller?: Caller) =>
      `${caller ? noteLine({ for: id, caller: encodeCaller(caller) }) : ""}${JSON.stringify(toolCall(tool, {}, id))}\n`;

    stream.write(callOf(1, "echo"));
    stream.write(callOf(2, "echo", agent("revoked")));
    stream.write(callOf(3, "write_note", agent("bot")));
    stream.write(callOf(4, "none", agent("bot")));
    stream.write(callOf(5, "echo", agent("bot")));
    await until("all are answered", () => text.split("\n").length > 5);

    const lines = text.trim().split("\n");
    const refused = lines.filter((line) => line.startsWith("#")).map((line) => JSON.parse(line.slice(1)));
    assert.deepEqual(
      refused.map(({ failed, code }) => [failed, code]),
      [1, 2, 3, 4].map((id) => [id, "cluster_call_refused"]),
    );
    assert.deepEqual(
      lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line).id),
      [5],
    );
  });

  test("only replicas of the cluster are served", { skip }, async (t) => {
    const { database, key } = await pair(t);
    const now = Date.now();
    const foreignKey = await newKey();
    const foreign = {
      key: foreignKey,
      cert: await issueAuthority({ key: foreignKey, names: ["replica.internal"], label: "cluster" }, now),
    };
    const clientKey = await newKey();
    const stranger = {
      key: clientKey,
      cert: await issueClient(foreign, { key: clientKey, name: "third", days: 1 }, now),
    };
    const attempt = async (credentials?: { cert?: string; key?: string }) =>
      (await dial(t, { database, key }, credentials)).open({ "x-hop-token": "999" }).status;

    assert.equal(await attempt(), "409");
    assert.match(await attempt({}), /error|closed/);
    assert.match(await attempt(stranger), /error|closed/);
    const wrong = { id: "x", keys: [Buffer.alloc(32)], now };
    await assert.rejects(hopIdentity(database, wrong), { code: "cluster_key_wrong" });
  });

  test("the key of the authority is encrypted with the first key, so the others can be removed", {
    skip,
  }, async (t) => {
    const { database, key } = await pair(t);
    const next = Buffer.alloc(32, 1);
    const identity = (...keys: Buffer[]) => hopIdentity(database, { id: "x", keys, now: Date.now() });
    const before = await identity(key, next);

    await identity(next, key);

    assert.equal((await identity(next)).ca, before.ca);
    await assert.rejects(identity(key), { code: "cluster_key_wrong" });
  });
}
