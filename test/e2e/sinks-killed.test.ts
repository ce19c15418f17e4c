import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { freePort } from "#test/kit/free-port.ts";
import { type Receiver, startReceiver } from "#test/kit/receiver.ts";
import { until } from "#test/kit/upstream.ts";
import { type Daemon, type Json, serve, textOf } from "./daemon.ts";

const SECRET = `whsec_${Buffer.from("a key of twenty-four byte").toString("base64")}`;
const CONFIG = {
  outbound_allow: ["127.0.0.1"],
  audit_log: { enabled: true },
  mcpServers: [
    {
      name: "up",
      command: process.execPath,
      args: [resolve("test/programs/upstream-stdio.mjs"), "--name", "up"],
      quarantined: false,
      trust_mode: "auto",
    },
  ],
};
const CALLS = 30;
const COMMON = { records: ["activity", "audit"], batch_size: 5 };

/** Receivers of records, one for each type of sink, and the records that each one has stored, in order of arrival. */
async function startReceivers(t: TestContext) {
  const [hook, collector] = [await acknowledging(t, webhookLines), await acknowledging(t, otlpLines)];
  const syslog = await startSyslog(t);
  const daemons: Daemon[] = [];
  let file = "";
  const sinks = [
    { name: "hook", type: "webhook", url: hook.url, secret: SECRET, ...COMMON },
    { name: "collector", type: "otlp", url: collector.url, ...COMMON },
    { name: "log", type: "syslog", address: syslog.address, ...COMMON },
    { name: "archive", type: "file", path: "archive.jsonl", ...COMMON },
    { name: "printed", type: "stdout", ...COMMON },
  ];
  return {
    sinks,
    acknowledging: [hook, collector],
    /** Collects what a proxy writes to its own outputs. */
    attach(daemon: Daemon) {
      file = join(daemon.dir, "archive.jsonl");
      daemons.push(daemon);
    },
    received: (): Record<string, Json[]> => ({
      webhook: hook.stored,
      otlp: collector.stored,
      syslog: syslog.stored,
      file: existsSync(file) ? linesIn(readFileSync(file, "utf8")) : [],
      stdout: daemons.flatMap((daemon) => linesIn(daemon.printed())),
    }),
  };
}

/** A receiver that answers after it has stored the records of a request. It can be told to stop answering. */
async function acknowledging(t: TestContext, recordsIn: (body: string) => Json[]) {
  const receiver: Receiver = await startReceiver(t);
  const stored: Json[] = [];
  const state = { url: receiver.url, stored, left: Number.POSITIVE_INFINITY };
  receiver.answer = ({ body }) => {
    if (state.left-- <= 0) return "hang";
    stored.push(...recordsIn(body));
    return { status: 200 };
  };
  return state;
}

const webhookLines = (body: string): Json[] => JSON.parse(body).records;
const otlpLines = (body: string): Json[] =>
  JSON.parse(body).resourceLogs[0].scopeLogs[0].logRecords.map((log: Json) => JSON.parse(log.body.stringValue));
/** Complete lines: a kill can cut the last one. */
const linesIn = (text: string): Json[] =>
  text
    .split("\n")
    .slice(0, -1)
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

async function startSyslog(t: TestContext) {
  const stored: Json[] = [];
  const server = createServer((socket) => {
    let rest = "";
    socket.setEncoding("latin1").on("error", () => undefined);
    socket.on("data", (text) => {
      rest += text;
      for (let frame = /^(\d+) /.exec(rest); frame; frame = /^(\d+) /.exec(rest)) {
        const end = frame[0].length + Number(frame[1]);
        if (rest.length < end) return;
        stored.push(JSON.parse(rest.slice(rest.indexOf("{"), end)));
        rest = rest.slice(end);
      }
    });
  });
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  t.after(() => server.close());
  return { address: `127.0.0.1:${port}`, stored };
}

/** The ids of the recorded calls, from the oldest to the newest. */
async function recordedCalls(daemon: Daemon): Promise<string[]> {
  const { activities } = await daemon.rest("GET /activity?type=tool_call&server=up&limit=100");
  return activities.map(({ id }: Json) => id).reverse();
}

/** Records by their id, each once, in the order in which they first arrived. */
function distinct(records: readonly Json[]): Map<string, Json> {
  const byId = new Map<string, Json>();
  for (const record of records) {
    const id = record.hash ?? record.id;
    if (byId.has(id)) assert.deepEqual(record, byId.get(id), "a record that arrives again is the same");
    else byId.set(id, record);
  }
  return byId;
}

const callIds = (records: readonly Json[]) =>
  [...distinct(records)].filter(([, { type }]) => type === "tool_call").map(([id]) => id);
const auditNumbers = (records: readonly Json[]): number[] =>
  [...distinct(records).values()].filter(({ hash }) => hash !== undefined).map(({ seq }) => seq);

test("kill -9 during deliveries loses no record of any sink; what arrives again has the same id", async (t) => {
  const receivers = await startReceivers(t);
  let daemon = await serve(t, { config: { ...CONFIG, sinks: receivers.sinks } });
  receivers.attach(daemon);
  await daemon.listed("up");

  for (const round of [1, 2]) {
    const client = await daemon.client("/mcp/all");
    for (const one of receivers.acknowledging) one.left = 2;
    for (let i = 0; i < CALLS; i++)
      assert.equal(textOf(await client.callTool({ name: "up__echo", arguments: { i } })), `{"i":${i}}`);
    await until("all calls are recorded", async () => (await recordedCalls(daemon)).length === round * CALLS);
    await until("deliveries hang", () => receivers.acknowledging.every(({ left }) => left < 0));
    daemon.child.kill("SIGKILL");
    await daemon.ended;
    const { webhook, otlp } = receivers.received();
    for (const one of [webhook!, otlp!])
      assert.ok(callIds(one).length < round * CALLS, "the kill comes before the last delivery");
    // A delivery that hangs after the restart would end only with the time limit of its request.
    for (const one of receivers.acknowledging) one.left = Number.POSITIVE_INFINITY;
    daemon = await serve(t, { dir: daemon.dir });
    receivers.attach(daemon);
    await daemon.listed("up");
  }

  const recorded = await recordedCalls(daemon);
  const audited = auditNumbers(linesIn(readFileSync(join(daemon.dir, "audit", "audit.log"), "utf8")));
  for (const [type, records] of Object.entries(receivers.received())) {
    const current = () => receivers.received()[type]!;
    await until(`${type} has all`, () => auditNumbers(current()).includes(audited.at(-1)!));
    await until(`${type} has all calls`, () => callIds(current()).length === recorded.length);
    assert.deepEqual(callIds(current()), recorded, `${type}: in order`);
    // A sink begins with the lines that are written after it.
    const numbers = auditNumbers(current()).filter((seq) => seq <= audited.at(-1)!);
    assert.deepEqual(numbers, audited.slice(audited.indexOf(numbers[0]!)), `${type}: every line of the audit log`);
    assert.ok(numbers.length > 2 * CALLS, type);
    assert.ok(records.length > 0, type);
  }
  const { sinks } = await daemon.rest("GET /sinks");
  assert.deepEqual(
    sinks.map(({ lost, rejected }: Json) => [lost, rejected]),
    receivers.sinks.map(() => [0, 0]),
  );
});
