import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "#test/kit/http.ts";
import { jsonOf, serve, textOf } from "#test/kit/mcp.ts";
import { npmPackage, ours, server, testRegistry } from "#test/kit/registry.ts";
import { shows } from "#test/kit/token.ts";

const CRM = server("com.example/crm", {
  packages: [npmPackage("crm", { environmentVariables: [{ name: "CRM_TOKEN", isRequired: true, isSecret: true }] })],
});

test("a model finds a server and adds it: always held and quarantined, its secret in the keyring, never a command of its own", async (t) => {
  const registry = await testRegistry(t, [CRM]);
  const { app, client } = await serve(t, { config: { ...ours(registry), quarantine_enabled: false } });
  const mcp = await client();
  const use = (name: string, args: object) => mcp.callTool({ name, arguments: { ...args } });

  const { registries } = jsonOf(await use("list_registries", {}));
  assert.ok(registries.some((one: { id: string }) => one.id === "ours"));
  const found = jsonOf(await use("search_servers", { registry: "ours", search: "crm", limit: 5 }));
  assert.equal(found.servers[0].id, "com.example/crm");
  assert.deepEqual(found.servers[0].required_inputs, [{ name: "CRM_TOKEN", description: "", secret: true }]);

  const add = { operation: "add_from_registry", registry: "ours", id: "com.example/crm", enabled: false };
  const lacking = await use("upstream_servers", add);
  assert.equal(lacking.isError, true);
  assert.deepEqual(jsonOf(lacking), {
    success: false,
    code: "missing_required_input",
    missing_inputs: [{ name: "CRM_TOKEN", description: "", secret: true }],
  });

  const referring = await use("upstream_servers", { ...add, env_json: '{"CRM_TOKEN":"${keyring:of-another}"}' });
  assert.match(textOf(referring), /adding a secret reference .* needs an authenticated administrator/);
  const steering = await use("upstream_servers", { ...add, env_json: '{"CRM_TOKEN":"x","NODE_OPTIONS":"-r /tmp/x"}' });
  assert.match(textOf(steering), /env\.NODE_OPTIONS: the server has no such input/);
  assert.deepEqual(await app.secrets.list(), []);
  const sly = { command: "sh", args_json: '["-c","id"]', quarantined: false, trust_mode: "auto" };
  const added = jsonOf(await use("upstream_servers", { ...add, ...sly, env_json: '{"CRM_TOKEN":"sesame"}' }));

  assert.deepEqual(
    [added.name, added.added, added.quarantined, added.held, added.command],
    ["crm", true, true, true, "npx"],
  );
  assert.match(added.message, /upstream confirm crm/);
  const stored = app.config.server("crm");
  assert.deepEqual([stored?.args, stored?.env], [["-y", "crm@1.0.0"], { CRM_TOKEN: "${keyring:crm-CRM_TOKEN}" }]);
  assert.equal(app.config.quarantined(stored!), true);
  assert.match(textOf(await use("upstream_servers", { ...add, id: "" })), /id: is required/);
  assert.match(textOf(await use("search_servers", { registry: "nope" })), /registry "nope" not found/);
});

test("an agent looks through registries, adds nothing, and is told of no server out of its sight", async (t) => {
  const registry = await testRegistry(t, [server("com.example/one", { packages: [npmPackage("one")] })]);
  const source = { source_registry_id: "ours", source_registry_server: "com.example/one" };
  const servers = ["mine", "hidden"].map((name) => ({ name, command: "true", enabled: false, ...source }));
  const { app, client } = await serve(t, { config: ours(registry), servers });
  const bot = await call(app, "POST /api/v1/tokens", { body: { name: "bot", allowed_servers: ["mine"] } });
  const mcp = await client("/mcp/call", shows(bot.token));

  const found = jsonOf(await mcp.callTool({ name: "search_servers", arguments: { registry: "ours" } }));
  assert.deepEqual(found.servers[0].added, ["mine"]);
  const add = { operation: "add_from_registry", registry: "ours", id: "com.example/one" };
  assert.match(textOf(await mcp.callTool({ name: "upstream_servers", arguments: add })), /administrator|admin access/);
});

test("adding from a registry obeys the operator's switches", async (t) => {
  const registry = await testRegistry(t, [server("com.example/one", { packages: [npmPackage("one")] })]);
  const { client } = await serve(t, { config: { ...ours(registry), allow_server_add: false } });
  const add = { operation: "add_from_registry", registry: "ours", id: "com.example/one" };
  const answer = await (await client()).callTool({ name: "upstream_servers", arguments: add });
  assert.match(textOf(answer), /allow_server_add/);
  assert.deepEqual(registry.asked, []);
});
