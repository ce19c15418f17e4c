import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import { configFileSchema } from "#lib/core/api/openapi/config-schema.ts";
import { isJsonObject } from "#lib/core/base/json-object.ts";
import { checkConfig } from "#lib/core/config/check.ts";
import { configKeys } from "#lib/core/config/config-keys.ts";
import { SERVER_CONFIG_FIELDS } from "#lib/core/schema/server-config-fields.ts";
import "#lib/modules/config.gen.ts";

const schema = configFileSchema();
// Strict, so that a keyword that draft 7 does not have is an error.
const matches = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(schema);

/** The JSON examples of docs/ that are a configuration, or a part of one. */
function examples(): { page: string; document: Record<string, unknown> }[] {
  const keys = new Set<string>(["$schema", ...configKeys().map(({ key }) => key)]);
  return readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .flatMap((page) =>
      [...readFileSync(join("docs", page), "utf8").matchAll(/^```json\n([\s\S]*?)^```/gm)].flatMap(([, text]) => {
        const document = parsed(text!);
        if (!isJsonObject(document) || !Object.keys(document).some((key) => keys.has(key))) return [];
        // Clients name their servers in an object.
        return isJsonObject(document.mcpServers) ? [] : [{ page, document }];
      }),
    );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

test("the schema accepts every configuration in the docs", () => {
  const found = examples();

  assert.ok(found.length >= 15, `only ${found.length} examples`);
  for (const { page, document } of found)
    assert.ok(matches(document), `${page}: ${JSON.stringify(document)}: ${JSON.stringify(matches.errors)}`);
});

/** Documents that both reject, with the place that the schema names. */
const WRONG: [document: Record<string, unknown>, place: string][] = [
  [{ tools_limit: "many" }, "/tools_limit"],
  [{ tools_limit: 0 }, "/tools_limit"],
  [{ tools_limit: 1.5 }, "/tools_limit"],
  [{ call_tool_timeout: "2 minutes" }, "/call_tool_timeout"],
  [{ call_tool_timeout: 120 }, "/call_tool_timeout"],
  [{ routing_mode: "directly" }, "/routing_mode"],
  [{ read_only_mode: "yes" }, "/read_only_mode"],
  [{ trusted_hosts: "example.com" }, "/trusted_hosts"],
  [{ expose: ["git"] }, "/expose/0"],
  [{ logging: { level: "loud" } }, "/logging/level"],
  [{ profiles: [{ name: "work" }] }, "/profiles/0"],
  [{ mcpServers: { git: { command: "x" } } }, "/mcpServers"],
  [{ mcpServers: [{ command: "x" }] }, "/mcpServers/0"],
  [{ mcpServers: [{ name: "a", command: "x", args: "-y" }] }, "/mcpServers/0/args"],
  [{ mcpServers: [{ name: "a", command: "x", env: { N: 1 } }] }, "/mcpServers/0/env/N"],
];

for (const [document, place] of WRONG)
  test(`the schema and the proxy reject ${JSON.stringify(document)}`, () => {
    assert.equal(checkConfig(document).ok, false);
    assert.equal(matches(document), false);
    assert.ok(
      matches.errors!.some(({ instancePath }) => instancePath === place),
      JSON.stringify(matches.errors),
    );
  });

test("the schema marks unknown keys at every depth, but no name in a map", () => {
  for (const document of [
    { tools_limits: 5 },
    { logging: { levle: "info" } },
    { mcpServers: [{ name: "a", command: "x", trust: "auto" }] },
  ])
    assert.equal(matches(document), false, JSON.stringify(document));
  assert.ok(matches({ mcpServers: [{ name: "a", command: "x", env: { ANY: "1" }, headers: { "X-Any": "1" } }] }));
});

test("the schema accepts the defaults, and no text where a text means not set", () => {
  const checked = checkConfig({ call_tool_timeout: "", mcpServers: [{ name: "a", command: "x", init_timeout: "" }] });
  assert.ok(checked.ok);
  assert.ok(matches(JSON.parse(JSON.stringify(checked.config))), JSON.stringify(matches.errors));
  assert.ok(matches({ call_tool_timeout: "", mcpServers: [{ name: "a", command: "x", init_timeout: "" }] }));
});

test("an editor shows a description for every key and every field of a server", () => {
  const { properties } = schema as unknown as { properties: Record<string, Described> };
  const servers = properties.mcpServers!.items!.properties!;
  assert.deepEqual(Object.keys(servers).sort(), ["name", ...Object.keys(SERVER_CONFIG_FIELDS)].sort());

  const without = Object.entries({ ...properties, ...servers }).filter(
    ([, { description = "" }]) => description === "",
  );
  assert.deepEqual(without, []);
});

interface Described {
  description?: string;
  properties?: Record<string, Described>;
  items?: Described;
}
