import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "#lib/core/base/json-object.ts";
import { CLIENTS } from "#lib/modules/connect/clients.ts";
import { put, remove } from "#lib/modules/connect/edit.ts";
import { type Random, seeded } from "#test/kit/random.ts";

/** Other texts: PROXY_TEST_SEED=7 npm test -- test/lib/connect/random */
const SEED = Number(process.env.PROXY_TEST_SEED ?? 1);
const CASES = 600;

type Text = (r: Random) => string;
const pick = (r: Random, ...from: string[]) => r.pick(from);
const times = (r: Random, most: number, one: (i: number) => string) =>
  Array.from({ length: r.below(most + 1) }, (_, i) => one(i));

const gap: Text = (r) => pick(r, "", "", " ", "\n", "\n  ", "\n\n\t", " // c\n", " /* x */ ", "\n// y\n  ", "\r\n ");

function members(r: Random, depth: number): string {
  const all = times(r, 3, (i) => `"k${i}"${gap(r)}:${gap(r)}${value(r, depth)}${gap(r)}`);
  return `{${gap(r)}${all.join(`,${gap(r)}`)}${all.length > 0 ? pick(r, "", ",") : ""}${gap(r)}}`;
}

function value(r: Random, depth: number): string {
  if (depth === 0 || r.below(2) === 0) return pick(r, "1", "true", "null", '"// no"', '"a,}"', "-2.5e3");
  return r.below(2) === 0 ? members(r, depth - 1) : `[${gap(r)}${value(r, depth - 1)}${gap(r)}]`;
}

const json: Text = (r) =>
  `${gap(r)}{${gap(r)}"theme"${gap(r)}:${gap(r)}${value(r, 3)}${gap(r)},${gap(r)}"mcpServers"${gap(r)}:${gap(r)}${members(r, 3)}${gap(r)}${pick(r, "", ",")}${gap(r)}}${gap(r)}`;

const remark: Text = (r) => pick(r, "", "", " # c");
const lines = (r: Random, all: readonly string[]) =>
  (all.join("\n") + pick(r, "", "\n", "\n\n")).replaceAll("\n", pick(r, "\n", "\r\n"));

const toml: Text = (r) => {
  const values = ["1", '"x # y"', "'[z]'", "[1, # c\n 2]", '"""\n[a]\nb"""', "{ p = 1 }", "1979-05-27"];
  const keys = (most: number) =>
    times(r, most, (i) => `${pick(r, `a${i}`, `'q q${i}'`, `b-c${i}`)} = ${pick(r, ...values)}${remark(r)}`);
  const tables = times(r, 5, (i) => {
    const header = pick(
      r,
      `mcp_servers.s${i}`,
      `mcp_servers.s${i}.env`,
      `t${i}`,
      `"mcp_servers".'z z${i}'`,
      `[arr${i}]`,
    );
    const head = times(r, 2, () => pick(r, "", "# remark"));
    return [...head, `[${header}]${remark(r)}`, ...keys(2), pick(r, "", "# in")].join("\n");
  });
  return lines(r, [...keys(2), ...tables]);
};

const yaml: Text = (r) => {
  const unit = pick(r, "  ", "    ");
  const said = (inner: string) =>
    pick(
      r,
      "1",
      '"x # y"',
      "'[z]'",
      "plain",
      `|\n${inner}a\n\n${inner}b`,
      `>-\n${inner}f`,
      "{ a: 1 }",
      "[1, 2]",
      "~",
      "",
    );
  const blank = () => times(r, 1, () => pick(r, "", "# remark", `${unit}# deep remark`));
  const top = (key: string) => times(r, 3, (i) => [...blank(), `${key}${i}: ${said(unit)}`].join("\n"));
  const server = (i: number) =>
    [
      ...blank(),
      `${unit}s${i}:${remark(r)}`,
      `${unit}${unit}k: ${said(unit + unit + unit)}`,
      ...times(r, 2, (k) => [`${unit}${unit}k${k}: ${said(unit + unit + unit)}`, ...blank()].join("\n")),
    ].join("\n");
  const servers = times(r, 3, server);
  const none = pick(r, "extensions: {}", "extensions:", "extensions: # c", "extensions: { s: { cmd: x } }", "n: 1");
  return lines(r, [
    ...top("t"),
    servers.length > 0 ? [`extensions:${remark(r)}`, ...servers].join("\n") : none,
    ...top("z"),
  ]);
};

/** What a text says, however many spaces, commas at the end and words for "no servers" there are. */
const said = (text: string) => text.replaceAll(/extensions:|"?mcpServers"?|\{\s*\}|[\s,]/g, "");

const FORMATS: [client: string, text: Text, raw: JsonObject][] = [
  ["cursor", json, { url: "u", headers: { a: "b" } }],
  ["codex", toml, { url: "u", http_headers: { a: "b" } }],
  ["goose", yaml, { name: "mcpproxy", uri: "u", headers: { a: "b" } }],
];

for (const [id, text, raw] of FORMATS)
  test(`whatever ${id}'s file looks like, an entry comes and goes, and every remark stays`, () => {
    const client = CLIENTS.find((c) => c.id === id)!;
    const r = seeded(SEED);
    for (let i = 0; i < CASES; i++) {
      const before = text(r);
      const added = put(client, before, "mcpproxy", raw);
      const after = remove(client, added, "mcpproxy");
      assert.equal(said(after), said(before), JSON.stringify({ before, added, after }));
    }
  });
