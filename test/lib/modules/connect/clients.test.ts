import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import type { Machine } from "#lib/core/base/machine.ts";
import { type Client, members } from "#lib/modules/connect/client.ts";
import { CLIENTS } from "#lib/modules/connect/clients.ts";
import { connect } from "#lib/modules/connect/connect.ts";
import { disconnect } from "#lib/modules/connect/disconnect.ts";
import { parse } from "#lib/modules/connect/document.ts";
import { preview } from "#lib/modules/connect/preview.ts";
import { status } from "#lib/modules/connect/status.ts";
import { undo } from "#lib/modules/connect/undo.ts";
import { admin } from "#test/kit/actor.ts";
import { type TestApp, testApp } from "#test/kit/app.ts";
import { BROKEN, textsFor } from "./texts.ts";

/** Every definition goes through the same cases, by the path rules of each system, on homes of its own. */

let app: TestApp;
const HOMES = mkdtempSync(join(tmpdir(), "proxy-homes-"));
before(async () => {
  app = await testApp({ connect: false, config: { listen: "127.0.0.1:8080" } });
});
after(async () => {
  await app.close();
  rmSync(HOMES, { recursive: true, force: true });
});

/** The texts that go to the disk; what an edit makes of each of all the others is in edit.test.ts. */
const ON_DISK = {
  linux: ["nothing", "other servers", "comments everywhere"],
  darwin: ["other servers"],
  win32: ["other servers"],
};
/** What depends on the format alone, with one client of each. */
const OF_A_FORMAT = ["Windows line ends", "a byte order mark", "deep nesting"];
const isFirst = (client: Client) => CLIENTS.find(({ format }) => format === client.format) === client;
const isOnDisk = (client: Client, platform: (typeof PLATFORMS)[number], what: string) =>
  ON_DISK[platform].includes(what) || (platform === "linux" && isFirst(client) && OF_A_FORMAT.includes(what));

const PLATFORMS = ["linux", "darwin", "win32"] as const;
let homes = 0;

/** The app on a machine of its own. */
function on(platform: Machine["platform"], env: Record<string, string> = {}): { at: TestApp; machine: Machine } {
  const home = join(HOMES, String(homes++));
  mkdirSync(home);
  const machine = { platform, home, env };
  return { machine, at: Object.assign(Object.create(app) as TestApp, { boot: { ...app.boot, machine } }) };
}

function place(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const plainServers = (client: Client, text: string) =>
  JSON.stringify(
    members(client, parse(client.format, text)).filter(([name]) => name !== "mcpproxy"),
    (_, v) => (typeof v === "bigint" ? String(v) : v),
  );

for (const platform of PLATFORMS)
  for (const client of CLIENTS) {
    test(`${client.name} on ${platform}: no file`, async () => {
      const { at, machine } = on(platform);
      const [path] = client.paths(machine);
      assert.ok(path!.startsWith(machine.home), path);
      assert.equal((await status(at, client.id)).access_state, "absent");
      const seen = await preview(at, client.id, "");
      assert.equal(seen.entry_exists, false);
      assert.ok(!existsSync(path!), "a preview writes nothing");
      if (!client.creates) {
        assert.match(seen.connect_refusal!, /must create it itself/);
        await assert.rejects(connect(at, client.id, { name: "", force: true }, admin), { code: "connect_refused" });
        return;
      }
      const wish = { name: "", force: false, token: seen.precondition_token };
      const done = await connect(at, client.id, wish, admin);
      assert.deepEqual([done.action, done.backup_path], ["created", undefined]);
      assert.equal(statSync(path!).mode & 0o777, 0o600);
      const now = await status(at, client.id);
      assert.deepEqual([now.connected, now.endpoint_match], [true, "this"]);
      assert.equal(now.registered_url, "http://127.0.0.1:8080/mcp");
      const undone = await undo(at, client.id, { name: "", backup: "" }, admin);
      assert.equal(undone.action, "deleted");
      assert.ok(!existsSync(path!));
      assert.ok(existsSync(undone.backup_path!));
    });

    test(`${client.name} on ${platform}: connect, undo, connect, disconnect`, async () => {
      for (const [what, text] of Object.entries(textsFor(client))) {
        if (!isOnDisk(client, platform, what)) continue;
        const { at, machine } = on(platform);
        const path = client.paths(machine).at(-1)!;
        place(path, text);
        const done = await connect(at, client.id, { name: "", force: false }, admin);
        assert.equal(done.config_path, path, what);
        assert.equal(readFileSync(done.backup_path!, "utf8"), text, what);
        assert.equal(plainServers(client, readFileSync(path, "utf8")), plainServers(client, text), what);
        const undone = await undo(at, client.id, { name: "", backup: basename(done.backup_path!) }, admin);
        assert.equal(undone.action, "restored");
        assert.equal(readFileSync(path, "utf8"), text, `${what}: the very bytes`);

        await connect(at, client.id, { name: "", force: false }, admin);
        await assert.rejects(connect(at, client.id, { name: "", force: false }, admin), { code: "connect_conflict" });
        const again = await connect(at, client.id, { name: "", force: true }, admin);
        assert.deepEqual([again.action, again.backup_path], ["already_exists", undefined], what);
        const removed = await disconnect(at, client.id, "", admin);
        assert.equal(removed.action, "removed");
        assert.equal(plainServers(client, readFileSync(path, "utf8")), plainServers(client, text), what);
        assert.equal((await disconnect(at, client.id, "", admin)).action, "not_found");
      }
    });

    test(`${client.name} on ${platform}: an entry of somebody else under our name is replaced only by force`, async () => {
      const { at, machine } = on(platform);
      const path = client.paths(machine)[0]!;
      const foreign = client.shape.write(
        { kind: "http", url: "https://u:p@else.example/mcp?k=1", headers: { "X-Key": "hush-hush-hush" } },
        "mcpproxy",
      );
      const servers = client.list ? [foreign] : { mcpproxy: foreign };
      const document = client.at({}).reduceRight<unknown>((inner, key) => ({ [key]: inner }), servers);
      place(path, client.format === "toml" ? tomlOf(foreign) : JSON.stringify(document));
      const seen = await preview(at, client.id, "");
      assert.equal(seen.entry_exists, true);
      assert.ok(!JSON.stringify(seen).includes("hush-hush"), "values of the other entry are not told");
      assert.ok(!JSON.stringify(seen.existing_entry_summary).includes("u:p@"));
      const now = await status(at, client.id);
      assert.deepEqual([now.connected, now.endpoint_match], [true, "other"]);
      assert.equal(now.registered_url, "https://else.example/mcp");
      const before = readFileSync(path);
      await assert.rejects(connect(at, client.id, { name: "", force: false }, admin), { code: "connect_conflict" });
      assert.deepEqual(readFileSync(path), before);
      const done = await connect(at, client.id, { name: "", force: true }, admin);
      assert.equal(done.action, "updated");
      await undo(at, client.id, { name: "", backup: basename(done.backup_path!) }, admin);
      assert.deepEqual(readFileSync(path), before);
    });

    test(`${client.name} on ${platform}: a file that nobody can read stays as it is`, async () => {
      for (const text of platform === "linux" ? BROKEN[client.format] : BROKEN[client.format].slice(0, 1)) {
        const { at, machine } = on(platform);
        const path = client.paths(machine)[0]!;
        place(path, text);
        assert.ok((await preview(at, client.id, "")).connect_refusal);
        await assert.rejects(connect(at, client.id, { name: "", force: true }, admin), { code: "connect_refused" });
        await assert.rejects(
          disconnect(at, client.id, "", admin),
          (e: { code: string }) => e.code === "connect_refused",
        );
        assert.equal(readFileSync(path, "utf8"), text);
        assert.deepEqual(readdirSync(dirname(path)), [basename(path)], "no copies, no leftovers");
      }
    });
  }

/** An entry with a table of headers, as TOML. */
function tomlOf(raw: object): string {
  const lines = Object.entries(raw).map(([key, value]) =>
    typeof value === "string"
      ? `${key} = ${JSON.stringify(value)}`
      : `${key} = { ${Object.entries(value as object).map(([k, v]) => `"${k}" = ${JSON.stringify(v)}`)} }`,
  );
  return `[mcp_servers.mcpproxy]\n${lines.join("\n")}\n`;
}

const ELSEWHERE: [client: string, env: Record<string, string>, path: string][] = [
  ["claude-code", { CLAUDE_CONFIG_DIR: "/c" }, "/c/.claude.json"],
  ["codex", { CODEX_HOME: "/c" }, "/c/config.toml"],
  ["continue", { CONTINUE_GLOBAL_DIR: "/c" }, "/c/config.yaml"],
  ["amp", { AMP_SETTINGS_FILE: "/c/s.json" }, "/c/s.json"],
  ["cline", { CLINE_DIR: "/c" }, "/c/data/settings/cline_mcp_settings.json"],
  ["cline", { CLINE_DATA_DIR: "/c" }, "/c/settings/cline_mcp_settings.json"],
  ["cline", { CLINE_MCP_SETTINGS_PATH: "/c/s.json" }, "/c/s.json"],
  ["devin", { XDG_CONFIG_HOME: "/c" }, "/c/devin/mcp_config.json"],
  ["gemini", { GEMINI_CLI_HOME: "/c" }, "/c/.gemini/settings.json"],
  ["goose", { GOOSE_PATH_ROOT: "/c" }, "/c/config/config.yaml"],
  ["grok", { GROK_HOME: "/c" }, "/c/config.toml"],
  ["kimi", { KIMI_CODE_HOME: "/c" }, "/c/mcp.json"],
  ["qwen", { QWEN_HOME: "/c" }, "/c/settings.json"],
  ["copilot-cli", { COPILOT_HOME: "/c" }, "/c/mcp-config.json"],
  ["crush", { CRUSH_GLOBAL_CONFIG: "/c" }, "/c/crush.json"],
  ["goose", { XDG_CONFIG_HOME: "/c" }, "/c/goose/config.yaml"],
  ["zed", { XDG_CONFIG_HOME: "/c" }, "/c/zed/settings.json"],
  ["opencode", { XDG_CONFIG_HOME: "/c" }, "/c/opencode/opencode.jsonc"],
  ["vscode", { XDG_CONFIG_HOME: "/c" }, "/c/Code/User/mcp.json"],
];

for (const [id, env, path] of ELSEWHERE)
  test(`${id} is looked for where ${Object.keys(env)[0]} says`, () => {
    const client = CLIENTS.find((c) => c.id === id)!;
    assert.equal(client.paths({ platform: "linux", home: "/h", env })[0], path);
  });

test("desktop programs lie where their system keeps their data", () => {
  const desktop = CLIENTS.find((c) => c.id === "claude-desktop")!;
  const file = join("Claude", "claude_desktop_config.json");
  const path = (platform: Machine["platform"], env = {}) => desktop.paths({ platform, home: "/h", env })[0];
  assert.equal(path("linux"), join("/h/.config", file));
  assert.equal(path("darwin"), join("/h/Library/Application Support", file));
  assert.equal(path("win32"), join("/h/AppData/Roaming", file));
  assert.equal(path("win32", { APPDATA: "/a" }), join("/a", file));
});

const EARLIER: [client: string, platform: Machine["platform"], later: string, earlier: string][] = [
  [
    "cline",
    "linux",
    ".cline/data/settings/cline_mcp_settings.json",
    ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
  ],
  ["crush", "win32", ".config/crush/crush.json", "AppData/Local/crush/crush.json"],
  ["kimi", "darwin", ".kimi-code/mcp.json", ".kimi/mcp.json"],
];
for (const [id, platform, later, earlier] of EARLIER)
  test(`${id} that has not moved yet keeps its earlier file; one that has is written to at its new place alone`, async () => {
    const { at, machine } = on(platform);
    place(join(machine.home, earlier), "{}");
    assert.equal((await status(at, id)).config_path, join(machine.home, earlier));
    place(join(machine.home, later), "{}");
    const done = await connect(at, id, { name: "", force: false }, admin);
    assert.equal(done.config_path, join(machine.home, later));
    assert.equal(readFileSync(join(machine.home, earlier), "utf8"), "{}");
  });

test("clients that load tool definitions on demand are told not to, unless every tool of every server is listed", async () => {
  const written = async (routingMode: "retrieve_tools" | "direct", id: string) => {
    const { at } = on("linux");
    const direct = Object.assign(Object.create(at) as TestApp, { boot: { ...at.boot, routingMode } });
    return (await preview(direct, id, "")).entry;
  };

  assert.equal((await written("retrieve_tools", "claude-code")).alwaysLoad, true);
  assert.equal((await written("retrieve_tools", "copilot-cli")).deferTools, "never");
  assert.equal((await written("direct", "claude-code")).alwaysLoad, undefined);
  assert.equal((await written("direct", "copilot-cli")).deferTools, undefined);
});

test("an entry that leads to an alias of an endpoint leads to this proxy", async () => {
  const { at, machine } = on("linux");
  for (const [path, match] of [
    ["/all/mcp", "this"],
    ["/p/front/mcp", "this"],
    ["/other/mcp", "other"],
  ] as const) {
    const entry = { type: "http", url: `http://127.0.0.1:8080${path}` };
    writeFileSync(join(machine.home, ".claude.json"), JSON.stringify({ mcpServers: { mcpproxy: entry } }));
    assert.equal((await status(at, "claude-code")).endpoint_match, match, path);
  }
});

test("a client that can only start programs starts the bridge of this program, with its token in the environment", async () => {
  const socket = await testApp({ connect: false, config: { listen: "", enable_socket: true } });
  const closed = await testApp({
    connect: false,
    config: { listen: "127.0.0.1:8080", enable_socket: false, require_mcp_auth: true },
  });
  const self = ["/opt/node", "/opt/proxy.cjs"];
  const onMachine = (of: TestApp) => {
    const { machine } = on("linux");
    return Object.assign(Object.create(of) as TestApp, { boot: { ...of.boot, machine, self } });
  };
  const bySocket = onMachine(socket);
  const byUrl = onMachine(closed);

  const { entry } = await preview(bySocket, "claude-desktop", "");
  assert.deepEqual(entry, { command: "/opt/node", args: ["/opt/proxy.cjs", "bridge", "--data-dir", socket.dir] });

  await connect(byUrl, "claude-desktop", { name: "", force: false }, admin);
  const file = CLIENTS.find(({ id }) => id === "claude-desktop")!.paths(byUrl.boot.machine)[0]!;
  const written = JSON.parse(readFileSync(file, "utf8")).mcpServers.mcpproxy;
  assert.deepEqual(written.args, ["/opt/proxy.cjs", "bridge", "--url", "http://127.0.0.1:8080/mcp"]);
  assert.match(written.env.SERVICE_API_KEY, /^mcp_agt_/);
  assert.equal((await status(byUrl, "claude-desktop")).endpoint_match, "this");
  await Promise.all([socket.close(), closed.close()]);
});

test("a client that signs in gets the URL alone where clients can sign in, every other a token", async () => {
  const app = await testApp({
    connect: false,
    config: { listen: "127.0.0.1:8080", enable_socket: false, auth: { oauth: { enabled: true } } },
  });
  const { machine } = on("linux");
  const here = Object.assign(Object.create(app) as TestApp, { boot: { ...app.boot, machine } });
  const shown = async (id: string) => {
    const { credential, entry_text, note = "" } = await preview(here, id, "");
    return [credential, /mcp_agt_|••••/.test(entry_text), note.includes("opens the browser")];
  };

  for (const id of ["claude-code", "cursor", "gemini", "vscode", "vscode-insiders"])
    assert.deepEqual(await shown(id), ["none", false, true], id);
  assert.deepEqual(await shown("codex"), ["agent_token", true, false]);
  await app.close();
});
