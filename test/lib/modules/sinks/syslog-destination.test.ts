import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import { recordSinks } from "#lib/modules/sinks/state.ts";
import { testApp } from "#test/kit/app.ts";
import { freePort } from "#test/kit/free-port.ts";
import { activityRecord } from "#test/kit/store.ts";
import { foreign } from "#test/kit/tls.ts";
import { until } from "#test/kit/until.ts";

const RSYSLOG = spawnSync("rsyslogd", ["-v"]).status === 0;
const skip = RSYSLOG ? false : "NOT RUN: rsyslogd is not installed";

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "sinks-"));
  t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  return dir;
}

async function sinkTo(t: TestContext, address: string, sink: object = {}) {
  const app = await testApp({
    config: {
      outbound_allow: ["127.0.0.1", "localhost"],
      sinks: [{ name: "log", type: "syslog", address, facility: "local3", ...sink }],
    },
  });
  t.after(() => app.close());
  await until("the sink begins", () => app.store.meta.get("sinks/log") !== undefined);
  return app;
}

/** Starts rsyslog with one input, and returns what it wrote. */
async function rsyslog(t: TestContext, input: string) {
  const dir = folder(t);
  const file = join(dir, "received");
  writeFileSync(file, "");
  writeFileSync(
    join(dir, "rsyslog.conf"),
    `global(workDirectory="${dir}" maxMessageSize="64k")
${input}
template(name="fields" type="string" string="%syslogfacility-text%|%syslogseverity-text%|%app-name%|%msgid%|%procid%|%timestamp:::date-rfc3339%|%msg%\\n")
action(type="omfile" file="${file}" template="fields")
`,
  );
  const start = () => {
    const child = spawn("rsyslogd", ["-n", "-f", join(dir, "rsyslog.conf"), "-i", join(dir, "pid")], {
      stdio: "ignore",
    });
    t.after(() => void child.kill("SIGKILL"));
    return child;
  };
  const received = () =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.includes("|proxy|"))
      .map((line) => line.split("|"));
  return { start, received };
}

for (const transport of ["udp", "tcp"] as const)
  test(`rsyslog reads the fields of each record (${transport})`, { skip }, async (t) => {
    const port = await freePort();
    const module = `im${transport}`;
    const { start, received } = await rsyslog(
      t,
      `module(load="${module}")\ninput(type="${module}" address="127.0.0.1" port="${port}")`,
    );
    start();
    const app = await sinkTo(t, `127.0.0.1:${port}`, { transport });
    // Of datagrams nobody learns whether the receiver was there.
    await until(
      "rsyslog listens",
      () => received().length > 0,
      () =>
        app
          .part(recordSinks)
          .test("log", AbortSignal.timeout(5000))
          .catch(() => undefined),
    );

    await app.store.activity.add(activityRecord({ id: "a", server_name: "gït", status: "error" }));
    await app.store.activity.add(activityRecord({ id: "b", error_message: "first\nsecond" }));
    await until("both records", () => received().filter(([, , , type]) => type === "tool_call").length === 2);

    const [first, second] = received().filter(([, , , type]) => type === "tool_call");
    assert.deepEqual(first!.slice(0, 5), ["local3", "err", "proxy", "tool_call", String(process.pid)]);
    assert.equal(Date.parse(first![5]!), 1_700_000_000_000);
    assert.deepEqual(
      [first!, second!].map((fields) => JSON.parse(fields.slice(6).join("|"))).map((r) => [r.id, r.server_name]),
      [
        ["a", "gït"],
        ["b", ""],
      ],
    );
  });

test("records that were sent while rsyslog was away are delivered when it is back", { skip }, async (t) => {
  const port = await freePort();
  const { start, received } = await rsyslog(
    t,
    `module(load="imtcp")\ninput(type="imtcp" address="127.0.0.1" port="${port}")`,
  );
  const child = start();
  const app = await sinkTo(t, `127.0.0.1:${port}`);
  await until(
    "rsyslog listens",
    () => received().length > 0,
    () =>
      app
        .part(recordSinks)
        .test("log", AbortSignal.timeout(5000))
        .catch(() => undefined),
  );
  child.kill("SIGKILL");
  await new Promise((done) => child.once("exit", done));
  await app.store.activity.add(activityRecord({ id: "away" }));
  await until("the failure", async () => (await app.part(recordSinks).list())[0]!.state === "failing");
  start();

  await until("the record", () => received().some((fields) => fields.join("|").includes('"id":"away"')));
});

test("records that were under way when a connection was cut are delivered over the next one", async (t) => {
  let connections = 0;
  let received = "";
  const server = createServer((socket) => {
    const isFirst = ++connections === 1;
    socket.setEncoding("utf8").on("error", () => undefined);
    socket.on("data", (text) => {
      if (isFirst) socket.resetAndDestroy();
      else received += text;
    });
  });
  const port = await new Promise<number>((done) =>
    server.listen(0, "127.0.0.1", () => done((server.address() as { port: number }).port)),
  );
  t.after(() => server.close());
  const app = await sinkTo(t, `127.0.0.1:${port}`);
  t.after(() => app.close());
  const ids = Array.from({ length: 30 }, (_, i) => `cut-${i}`);

  await Promise.all(ids.map((id) => app.store.activity.add(activityRecord({ id }))));
  await until("all records", () => ids.every((id) => received.includes(`"id":"${id}"`)));

  assert.ok(connections >= 2);
  assert.equal((await app.part(recordSinks).list())[0]!.lost, 0);
});

test("a receiver that accepts connections and reads nothing holds up nobody", async (t) => {
  const server = createServer((socket) => socket.pause());
  const port = await new Promise<number>((done) =>
    server.listen(0, "127.0.0.1", () => done((server.address() as { port: number }).port)),
  );
  t.after(() => server.close());
  const app = await sinkTo(t, `127.0.0.1:${port}`, { bodies: true });
  await Promise.all(
    Array.from({ length: 200 }, () => app.store.activity.add(activityRecord({ response: "x".repeat(7000) }))),
  );

  const from = performance.now();
  await app.close();
  assert.ok(performance.now() - from < 10_000);
});

test("a connection over which many deliveries were sent has no more listeners than at first", async (t) => {
  const server = createServer((socket) => socket.resume());
  const port = await new Promise<number>((done) =>
    server.listen(0, "127.0.0.1", () => done((server.address() as { port: number }).port)),
  );
  t.after(() => server.close());
  const warnings: string[] = [];
  const collect = ({ name }: Error) => void warnings.push(name);
  process.on("warning", collect);
  t.after(() => process.off("warning", collect));
  const app = await sinkTo(t, `127.0.0.1:${port}`);

  // Node warns of the eleventh listener.
  for (let i = 0; i < 12; i++) await app.part(recordSinks).test("log", AbortSignal.timeout(30_000));

  assert.deepEqual(warnings, []);
});

test("over TLS, each message follows its length, and only a certificate of the configured authority is accepted", async (t) => {
  const dir = folder(t);
  const mine = await foreign("CN=localhost", { from: Date.now() - 86_400_000, days: 10, authority: true });
  const other = await foreign("CN=localhost", { from: Date.now() - 86_400_000, days: 10, authority: true });
  writeFileSync(join(dir, "mine.pem"), mine.cert);
  writeFileSync(join(dir, "other.pem"), other.cert);
  let received = "";
  const server = createTlsServer(mine, (socket) => {
    socket.setEncoding("utf8").on("data", (text) => {
      received += text;
    });
    socket.on("error", () => undefined);
  });
  server.on("tlsClientError", () => undefined);
  const port = await new Promise<number>((done) =>
    server.listen(0, "127.0.0.1", () => done((server.address() as { port: number }).port)),
  );
  t.after(() => server.close());
  const sink = (ca: string) => sinkTo(t, `localhost:${port}`, { transport: "tls", ca_file: join(dir, ca) });

  const wrong = await sink("other.pem");
  await assert.rejects(wrong.part(recordSinks).test("log", AbortSignal.timeout(5000)), /self.signed|certificate/);
  assert.equal(received, "");
  const app = await sink("mine.pem");
  await app.part(recordSinks).test("log", AbortSignal.timeout(5000));
  await app.part(recordSinks).test("log", AbortSignal.timeout(5000));

  const types: string[] = [];
  while (received !== "") {
    const length = Number(/^\d+ /.exec(received)?.[0]);
    const start = String(length).length + 1;
    types.push(JSON.parse(received.slice(received.indexOf("{"), start + length)).type);
    received = received.slice(start + length);
  }
  assert.deepEqual(types, ["sink_test", "sink_test"]);
});

test("a private address is refused unless outbound_allow names it", async (t) => {
  const app = await testApp({
    config: { sinks: [{ name: "log", type: "syslog", address: "127.0.0.1:9", transport: "udp" }] },
  });
  t.after(() => app.close());
  await until("the sink begins", () => app.store.meta.get("sinks/log") !== undefined);

  await assert.rejects(app.part(recordSinks).test("log", AbortSignal.timeout(5000)), /outbound_allow/);
});
