import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { listenForCli, TEST_KEY, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";

/** Configuration, secrets, profiles and doctor by command, against a real daemon in this process. */
const SECRET = "zyxwvutsrqponmlkjihgfedcbazyxwvutsrqponm";
const app = await testApp({
  connect: false,
  servers: [{ name: "git", command: "x", env: { TOKEN: SECRET } }],
  config: { profiles: [{ name: "work", servers: ["git"] }] },
});
const { env, ...daemon } = await listenForCli({ after }, app);
const proxy = (line: string, stdin?: string) =>
  cli(line.split(" "), commands, { env, ...(stdin !== undefined && { stdin }) });
const file = (name: string, text: string) => {
  writeFileSync(join(app.dir, name), text);
  return join(app.dir, name);
};

test("config get shows the whole, one key, or an entry by its name, never a secret", async () => {
  const whole = await proxy("config get");
  assert.match(whole.out, /^listen: 127\.0\.0\.1:0\n/);
  assert.ok(!whole.out.includes(SECRET) && !whole.out.includes(TEST_KEY));
  assert.equal((await proxy("config get tools_limit")).out, "15\n");
  assert.equal((await proxy("config get logging.level")).out, "info\n");
  assert.equal((await proxy("config get mcpServers.git.env.TOKEN")).out, "••••nm (40 chars)\n");
  assert.equal(JSON.parse((await proxy("config get profiles.0.servers --json")).out)[0], "git");
  const none = await proxy("config get nonsense.key");
  assert.deepEqual([none.code, none.out, none.err], [1, "", "nonsense.key is not set\n"]);
});

test("config get of a key that the environment overrides shows what is in force, and what the file says", async (t) => {
  const { overrides } = app.config;
  t.after(() => Object.assign(app.config, { overrides }));
  Object.assign(app.config, { overrides: () => ({ tools_limit: 3, logging: { level: "warn" } }) });

  const { out, err } = await proxy("config get tools_limit");

  assert.equal(out, "3\n");
  assert.match(err, /^tools_limit: the file sets 15, .* overrides it with 3\n$/);
  assert.equal((await proxy("config get logging.level")).out, "warn\n");
  assert.equal((await proxy("config get routing_mode")).err, "");
});

test("config schema prints the schema, or writes it beside the configuration and says how to refer to it", async () => {
  const { out } = await proxy("config schema");
  assert.ok(JSON.parse(out).properties.mcpServers);

  const written = await proxy(`config schema --write -d ${app.dir}`);
  const path = join(app.dir, "mcp_config.schema.json");
  assert.equal(readFileSync(path, "utf8"), out);
  assert.match(written.out, /"\$schema": "\.\/mcp_config\.schema\.json"$/m);

  rmSync(path);
  mkdirSync(path);
  const failed = await proxy(`config schema --write -d ${app.dir}`);
  rmSync(path, { recursive: true });
  assert.deepEqual([failed.code, failed.err.includes(`${path} cannot be written`)], [1, true]);
});

test("config set takes JSON or text, null takes out, and it says what waits for a restart", async () => {
  assert.equal((await proxy("config set tools_limit 7")).out, "applied: tools_limit\n");
  assert.equal(app.config.current().tools_limit, 7);
  await proxy("config set logging.level debug");
  assert.equal(app.config.current().logging.level, "debug");
  await proxy("config set instructions 42 --text");
  assert.equal(app.config.current().instructions, "42");
  await proxy("config set instructions null");
  assert.equal(app.config.current().instructions, undefined);
  assert.equal((await proxy("config set routing_mode direct")).out, "after a restart: routing_mode\n");
  await proxy("config set routing_mode retrieve_tools");

  const wrong = await proxy("config set tools_limit 0");
  assert.deepEqual([wrong.code, wrong.out], [2, ""]);
  assert.match(wrong.err, /tools_limit: must be a whole number from 1 to 1000/);
  assert.match((await proxy("config set mcpServers.git.command y")).err, /proxy upstream patch/);
  assert.match((await proxy("config set .x 1")).err, /is not a valid key/);
});

test("config set refuses an unknown key with the likely one and exit code 2; --force keeps it", async () => {
  const refused = await proxy("config set tools_limt 1");
  assert.deepEqual([refused.code, refused.out], [2, ""]);
  assert.match(refused.err, /tools_limt: unknown field; did you mean tools_limit\?.*--force/);
  const forced = await proxy("config set tools_limt 1 --force");
  assert.equal(forced.code, 0);
  assert.match(readFileSync(app.config.path, "utf8"), /"tools_limt": 1/);
  assert.equal((await proxy("config set tools_limt null")).code, 0);
  assert.doesNotMatch(readFileSync(app.config.path, "utf8"), /tools_limt/);
});

test("config validate needs no proxy, names lines and what may be meant", async () => {
  const nowhere = (line: string, stdin?: string) =>
    cli(line.split(" "), commands, { env: { SERVICE_DATA: app.dir }, ...(stdin !== undefined && { stdin }) });
  const good = await nowhere("config validate");
  assert.deepEqual([good.code, good.out], [0, `${app.config.path} is valid\n`]);
  const bad = file("bad.json", '{\n  "tools_limit": 0,\n  "listen": "x"\n}');
  const found = await nowhere(`config validate ${bad}`);
  assert.equal(found.code, 2);
  assert.equal(
    found.out,
    `${bad}:3: listen must be "host:port" or ":port"\n${bad}:2: tools_limit must be a whole number from 1 to 1000\n${bad} is invalid\n`,
  );
  assert.match((await nowhere("config validate -", '{"a":')).out, /^-:1: .*\n- is invalid\n$/);
  assert.match((await nowhere("config validate -", '{"lissten":""}')).out, /did you mean listen\?\n- is valid\n$/);
  const object = JSON.parse((await nowhere(`config validate ${bad} --json`)).out);
  assert.deepEqual([object.valid, object.errors[0].field, object.errors[0].line], [false, "listen", 3]);
  assert.equal((await nowhere("config validate /no/such/file")).code, 2);
});

test("config apply replaces, history tells, restore takes back", async () => {
  const before = readFileSync(app.config.path, "utf8");
  const whole = { ...JSON.parse(before), tools_limit: 99 };
  assert.equal((await proxy(`config apply ${file("next.json", JSON.stringify(whole))}`)).out, "applied: tools_limit\n");

  const [now, last] = JSON.parse((await proxy("config history --json")).out);
  assert.deepEqual([now.by, now.changed_fields], ["admin", ["tools_limit"]]);
  assert.match((await proxy("config history")).out, /^VERSION +SINCE +BY +CHANGED\n/);
  assert.match((await proxy(`config history ${last.version}`)).out, /\ntools_limit: 7\n/);
  assert.equal((await proxy(`config restore ${last.version}`)).out, "applied: tools_limit\n");
  assert.deepEqual(JSON.parse(readFileSync(app.config.path, "utf8")), JSON.parse(before));

  assert.match((await proxy("config restore 999")).err, /configuration version "999" not found/);
  assert.match((await proxy("config apply -", "{")).err, /is not valid JSON/);
  assert.match((await proxy("config apply -", "[]")).err, /does not contain a JSON object/);
});

test("a broken edit by hand is replaced by restore --force alone, and is kept", async () => {
  const [, last] = JSON.parse((await proxy("config history --json")).out);
  writeFileSync(app.config.path, '{"api_key": ');

  const refused = await proxy(`config restore ${last.version}`);
  const forced = await proxy(`config restore ${last.version} --force`);

  assert.equal(refused.code, 1);
  assert.match(refused.err, /edited by hand .* proxy config restore NUMBER --force/);
  const [, copy = ""] = /the invalid file was replaced and is kept as (\S+)/.exec(forced.out) ?? [];
  assert.equal(readFileSync(copy, "utf8"), '{"api_key": ');
  assert.ok(JSON.parse(readFileSync(app.config.path, "utf8")).mcpServers);
});

test("without a proxy, history is listed and an earlier configuration replaces a broken file, which is kept", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true }));
  const path = join(dir, "mcp_config.json");
  mkdirSync(join(dir, "config-history"));
  const document = { api_key: TEST_KEY, tools_limit: 9, mcpServers: [] };
  const kept = { version: 3, at: "2026-01-01T00:00:00Z", by: "admin", changed: ["tools_limit"], document };
  writeFileSync(join(dir, "config-history", "000003.json"), JSON.stringify(kept));
  const offline = (line: string) => cli(line.split(" "), commands, { env: { SERVICE_DATA: dir } });

  for (const broken of ["", "{"]) {
    writeFileSync(path, broken);
    const listed = JSON.parse((await offline("config history --json")).out);
    const shown = await offline("config history 3");
    const restored = await offline("config restore 3");

    assert.deepEqual([listed.at(-1).version, listed.at(-1).by], [3, "admin"]);
    assert.match(shown.out, /tools_limit: 9/);
    assert.ok(!shown.out.includes(TEST_KEY));
    const [, copy = ""] = /the invalid file is kept as (\S+)/.exec(restored.out) ?? [];
    assert.deepEqual([restored.code, readFileSync(copy, "utf8")], [0, broken]);
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), document);
  }
  assert.match((await offline("config restore 99")).err, /configuration version "99" not found/);
});

test("secrets are read from standard input, listed without their value, and removed", async () => {
  const set = await proxy("secrets set t", "multi\nline\n");
  assert.equal(set.out, 'secret "t" stored; reference it as ${keyring:t}\n');
  assert.equal(await app.secrets.get("t"), "multi\nline");
  assert.equal((await proxy("secrets get-ref t")).out, "${keyring:t}\n");
  const list = await proxy("secrets list");
  assert.match(list.out, /^SECRET +STORED IN +SET +USED BY\nt +encrypted file +20/);
  assert.ok(!list.out.includes("multi"));
  assert.equal((await proxy("secrets set t", "\n")).code, 2);
  assert.equal((await proxy("secrets remove t")).code, 0);
  assert.equal((await proxy("secrets get-ref t")).code, 1);
});

test("upstream secret moves a value and names the secret after its place", async () => {
  assert.match((await proxy("upstream secret git --env TOKEN")).out, /: \$\{keyring:git-TOKEN\}\n$/);
  assert.equal(app.config.server("git")?.env?.TOKEN, "${keyring:git-TOKEN}");
  assert.equal((await proxy("upstream secret git --env TOKEN")).code, 2);
  assert.equal((await proxy("upstream secret git --env A --header B")).code, 2);
  assert.match((await proxy("secrets list")).out, /git-TOKEN +encrypted file .* git env\.TOKEN\n/);
});

test("profiles are listed and one is used", async () => {
  assert.equal((await proxy("profile use work")).out, "views show profile work\n");
  assert.match((await proxy("profile list")).out, /\nwork +yes +git +0\n$/);
  assert.equal((await proxy("profile use --all")).out, "views show all servers\n");
  assert.equal((await proxy("profile use")).code, 2);
  assert.match((await proxy("profile use nope")).err, /unknown profile "nope"; configured: work/);
});

test("doctor says what is wrong and what to do, and its exit code says whether anything is", async () => {
  const calm = JSON.parse((await proxy("doctor --json")).out);
  assert.equal(calm.healthy, calm.total_issues === 0);
  await proxy("config set reveal_secret_headers true");
  const { code, out } = await proxy("doctor");
  assert.equal(code, 1);
  assert.match(
    out,
    /warning: Administrators can see secrets unmasked\n.*\n {2}Mask secrets again: proxy config set reveal_secret_headers false\n {2}More: proxy docs troubleshooting#secrets_revealed$/m,
  );
  const there = await cli(["doctor", "--url", daemon.url], commands, { env: { SERVICE_API_KEY: daemon.key } });
  assert.ok(there.out.includes(`Mask secrets again: proxy --url ${daemon.url} config set`), "it means the same proxy");
  const git = await proxy("doctor --server git");
  assert.deepEqual([git.code, git.out], [0, "no problems found\n"]);
  await proxy("config set reveal_secret_headers false");
});

test("doctor looks without a daemon too, and says why none can start", async () => {
  const alone = (dir: string) => cli(["doctor", "--json"], commands, { env: { SERVICE_DATA: dir } });
  const codesIn = (out: string) => JSON.parse(out).findings.map((f: { code: string }) => f.code);
  const nothing = await alone(join(app.dir, "fresh"));
  assert.deepEqual([nothing.code, codesIn(nothing.out)], [1, ["not_running"]]);
  assert.ok(!existsSync(join(app.dir, "fresh")));
  mkdirSync(join(app.dir, "fresh"), { mode: 0o700 });
  file("fresh/mcp_config.json", '{ "trusted_hosts": ["*"] }');
  chmodSync(join(app.dir, "fresh", "mcp_config.json"), 0o600);
  assert.deepEqual(codesIn((await alone(join(app.dir, "fresh"))).out).slice(0, 2), ["not_running", "hosts_unchecked"]);
  file("fresh/mcp_config.json", "{");
  const broken = await alone(join(app.dir, "fresh"));
  assert.deepEqual(codesIn(broken.out), ["not_running", "config_invalid"]);

  const held = JSON.parse((await alone(app.dir)).out);
  assert.deepEqual(
    held.findings.map((f: { code: string }) => f.code),
    ["not_running", "database_locked"],
  );
  assert.equal((await cli(["doctor"], commands, { env: { SERVICE_URL: "http://127.0.0.1:9" } })).code, 1);
});

test("info --refresh looks for a release now", async () => {
  assert.ok(!(await proxy("info")).out.includes("update"));
  assert.match((await proxy("info --refresh")).out, /\nupdate {4}unknown: .*update_check\.source/);
  await proxy(
    `config set update_check.source ${file("releases.json", '[{"tag_name":"v8.0.0","html_url":"https://example.com"}]')}`,
  );
  assert.match(
    (await proxy("info --refresh")).out,
    /\nupdate {4}8\.0\.0 is available \(1\+ releases behind\) https:\/\/example\.com\n/,
  );
  await proxy("config set update_check.enabled false");
  assert.match((await proxy("info --refresh")).out, /\nupdate {4}the update check is disabled\n/);
});
