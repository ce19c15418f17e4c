import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import type { SinkRecord } from "#lib/modules/sinks/sink-record.ts";
import { recordSinks } from "#lib/modules/sinks/state.ts";
import { openStdoutDestination } from "#lib/modules/sinks/stdout-destination.ts";
import { withApp } from "#test/kit/app.ts";
import { activityRecord } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";

const sinks = [{ name: "printed", type: "stdout" }];
const record = (id: string): SinkRecord => ({
  kind: "activity",
  id,
  at: 1,
  type: "tool_call",
  status: "success",
  line: JSON.stringify({ id, text: "x".repeat(100) }),
});

test("records are lines of JSON on standard output, in order, without bodies", async () => {
  const stdout = new PassThrough();
  await withApp({ config: { sinks }, stdout }, async (app) => {
    await until("the sink begins", () => app.store.meta.get("sinks/printed") !== undefined);
    for (const id of ["a", "b"]) await app.store.activity.add(activityRecord({ id, response: "first\nsecond" }));
    let text = "";
    await until("both records", () => {
      text += stdout.read() ?? "";
      return text.includes('"id":"b"');
    });

    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.filter(({ type }) => type === "tool_call").map(({ id, response }) => [id, response]),
      [
        ["a", undefined],
        ["b", undefined],
      ],
    );
  });
});

test("while MCP uses standard output, the sink delivers nothing and says why", () =>
  withApp({ config: { sinks } }, async (app) => {
    const state = async () => (await app.part(recordSinks).list())[0]!;
    await until("the sink begins", () => app.store.meta.get("sinks/printed") !== undefined);
    await app.store.activity.add(activityRecord());
    await until("the failure", async () => (await state()).state === "failing");

    assert.match((await state()).problem!, /standard output is not available/);
    assert.ok((await state()).waiting >= 1);
  }));

test("attempts to write to a reader that does not read do not collect in memory", async () => {
  let goOn = () => {};
  const written: string[] = [];
  const out = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      written.push(JSON.parse(String(chunk)).id);
      goOn = done;
    },
  });
  const destination = openStdoutDestination(out);
  for (const id of ["a", "b", "c"]) {
    const limit = new AbortController();
    setImmediate(() => limit.abort());
    await assert.rejects(destination.deliver([record(id)], limit.signal), { name: "AbortError" });
  }

  const last = destination.deliver([record("d")], new AbortController().signal);
  goOn();
  await until("the last record", () => written.includes("d"));
  goOn();
  await last;
  assert.deepEqual(written, ["a", "d"]);
});
