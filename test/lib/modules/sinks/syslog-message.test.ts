import assert from "node:assert/strict";
import { test } from "node:test";
import type { SinkRecord } from "#lib/modules/sinks/sink-record.ts";
import { type SyslogOrigin, syslogMessage } from "#lib/modules/sinks/syslog-message.ts";

const ORIGIN: SyslogOrigin = { facility: "local0", hostname: "box", processId: 7 };
const record = (own: Partial<SinkRecord> = {}): SinkRecord => ({
  kind: "activity",
  id: "r1",
  at: Date.UTC(2026, 10, 23, 14, 0, 0, 5),
  type: "tool_call",
  status: "success",
  line: '{"id":"r1"}',
  ...own,
});

test("a record becomes a message of RFC 5424", () => {
  const rows: [own: Partial<SinkRecord>, origin: Partial<SyslogOrigin>, head: string][] = [
    [{}, {}, "<134>1 2026-11-23T14:00:00.005Z box proxy 7 tool_call - "],
    [{ status: "error" }, {}, "<131>1 2026-11-23T14:00:00.005Z box proxy 7 tool_call - "],
    [{ status: "blocked" }, { facility: "audit" }, "<108>1 2026-11-23T14:00:00.005Z box proxy 7 tool_call - "],
    [{ type: "" }, { hostname: "a b\n" }, "<134>1 2026-11-23T14:00:00.005Z a_b_ proxy 7 - - "],
    [{ type: "x".repeat(40) }, {}, `<134>1 2026-11-23T14:00:00.005Z box proxy 7 ${"x".repeat(32)} - `],
  ];
  for (const [own, origin, head] of rows)
    assert.equal(syslogMessage(record(own), { ...ORIGIN, ...origin }), `${head}{"id":"r1"}`);
});

test("the content is ASCII, one line, and the same JSON", () => {
  const content = { id: "r1", text: "mäin 😀\u2028\n\u0000" };
  const message = syslogMessage(record({ line: JSON.stringify(content) }), ORIGIN);

  assert.match(message, /^[\x20-\x7e]*$/);
  assert.deepEqual(JSON.parse(message.slice(message.indexOf("{"))), content);
});

test("a record that is too long loses its large members, and says so", () => {
  const rows: [members: object, kept: string[]][] = [
    [{ id: "r1", type: "t", response: "x".repeat(9000), arguments: {} }, ["arguments", "id", "truncated", "type"]],
    [{ id: "r1", response: "é".repeat(8000), arguments: "x".repeat(9000) }, ["id", "truncated"]],
    [{ id: "r1", type: "t", server_name: "x".repeat(9000) }, ["id", "truncated", "type"]],
  ];
  for (const [members, kept] of rows) {
    const message = syslogMessage(record({ line: JSON.stringify(members) }), ORIGIN);
    assert.ok(message.length <= 8192, `${message.length}`);
    assert.deepEqual(Object.keys(JSON.parse(message.slice(message.indexOf("{")))).sort(), kept);
  }
});
