import assert from "node:assert/strict";
import { test } from "node:test";
import { checkConfig } from "#lib/core/config/check.ts";
import type { Config, ServerConfig } from "#lib/core/config/config-keys.ts";
import { draftOf } from "#lib/core/config/draft.ts";
import "#lib/modules/config.gen.ts";

/** What the file holds after a change, as text, so that the order of keys counts. */
function edited(file: string, change: (draft: Config) => unknown): string {
  const raw = JSON.parse(file) as Record<string, unknown>;
  const checked = checkConfig(raw);
  assert.ok(checked.ok);
  const { draft, merged } = draftOf(raw, checked.config);
  change(draft);
  return JSON.stringify(merged());
}
const named = (draft: Config, name: string): ServerConfig => draft.mcpServers.find((s) => s.name === name)!;

const FILE =
  '{"zeta":{"b":1,"a":[1,{"x":null}]},"mcpServers":[{"x-note":"keep","name":"a","command":"x","env":{"B":"1","A":"2"},"url":"","args":null},{"name":"b","url":"http://b"}],"tools_limit":20,"api_key":"k"}';

test("a change of one value leaves everything else of the file as it stands", () => {
  const rows: [change: (draft: Config) => unknown, from: string, to: string][] = [
    [(d) => Object.assign(d, { tools_limit: 30 }), '"tools_limit":20', '"tools_limit":30'],
    [(d) => Object.assign(named(d, "a").env!, { A: "3" }), '"A":"2"', '"A":"3"'],
    [(d) => Object.assign(named(d, "a").env!, { C: "3" }), '"A":"2"', '"A":"2","C":"3"'],
    [(d) => delete named(d, "a").env!.B, '"B":"1",', ""],
    [(d) => Object.assign(named(d, "b"), { enabled: false }), '"url":"http://b"', '"url":"http://b","enabled":false'],
    [(d) => Object.assign(named(d, "b"), { url: undefined }), ',"url":"http://b"', ""],
    [(d) => Object.assign(named(d, "a"), { args: ["q"] }), '"args":null', '"args":["q"]'],
    [(d) => Object.assign(named(d, "a"), { url: "http://a" }), '"url":""', '"url":"http://a"'],
    [(d) => Object.assign(d.logging, { level: "debug" }), '"api_key":"k"', '"api_key":"k","logging":{"level":"debug"}'],
    [(d) => void d.trusted_hosts.push("h"), '"api_key":"k"', '"api_key":"k","trusted_hosts":["h"]'],
    [(d) => Object.assign(named(d, "a"), { name: "c" }), '"name":"a"', '"name":"c"'],
  ];
  for (const [change, from, to] of rows) assert.equal(edited(FILE, change), FILE.replace(from, to), change.toString());
});

test("no change at all leaves the file as it is, defaults included", () => {
  assert.equal(
    edited(FILE, (d) => Object.assign(d, { tools_limit: 20 })),
    FILE,
  );
  assert.equal(
    edited("{}", () => undefined),
    "{}",
  );
});

test("an entry replaced by a copy of itself keeps what only the file knows", () => {
  const after = edited(FILE, (d) => {
    d.mcpServers = d.mcpServers.map((s) => (s.name === "a" ? { ...s, enabled: false } : s));
  });

  assert.equal(after, FILE.replace('"args":null}', '"args":null,"enabled":false}'));
});

test("entries may be added, removed and moved", () => {
  const a = /\{"x-note".*?null\}/.exec(FILE)![0];
  const b = '{"name":"b","url":"http://b"}';

  assert.equal(
    edited(FILE, (d) => void d.mcpServers.reverse()),
    FILE.replace(`${a},${b}`, `${b},${a}`),
  );
  assert.equal(
    edited(FILE, (d) => void d.mcpServers.splice(0, 1)),
    FILE.replace(`${a},`, ""),
  );
  assert.equal(
    edited(FILE, (d) => void d.mcpServers.push({ name: "c", command: "y", enabled: true, args: undefined })),
    FILE.replace(b, `${b},{"name":"c","command":"y","enabled":true}`),
  );
  assert.equal(
    edited('{"api_key":"k"}', (d) => void d.mcpServers.push({ name: "c", command: "y", enabled: true })),
    '{"api_key":"k","mcpServers":[{"name":"c","command":"y","enabled":true}]}',
  );
});

test("keys that would reach a prototype stay data of the file", () => {
  const file = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"tools_limit":20}';

  assert.equal(
    edited(file, (d) => Object.assign(d, { tools_limit: 21 })),
    file.replace("20", "21"),
  );
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test("the draft is free to edit and shares nothing with what it was made from", () => {
  const raw = { mcpServers: [{ name: "a", command: "x", env: { A: "1" } }] };
  const checked = checkConfig(raw);
  assert.ok(checked.ok);

  const { draft } = draftOf(raw, checked.config);
  draft.mcpServers[0]!.env!.A = "2";

  assert.equal(raw.mcpServers[0]!.env.A, "1");
  assert.equal(checked.config.mcpServers[0]!.env!.A, "1");
});
