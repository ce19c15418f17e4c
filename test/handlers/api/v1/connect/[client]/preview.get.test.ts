import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { CURSOR, withHome } from "#test/kit/connect.ts";
import { call } from "#test/kit/http.ts";
import { verifies } from "#test/kit/verifies.ts";

const ROUTE = "GET /api/v1/connect/{client}/preview";
const params = { client: "cursor" };

verifies(
  ["rest.connect.get-preview", "rest.connect.preview", "rest.connect.preview-exists"],
  "a preview says where what would be written, and writes nothing",
  () =>
    withHome({}, async (app, home) => {
      const file = home.put(".cursor/mcp.json", CURSOR);
      const seen = await call(app, ROUTE, { params, query: {} });
      assert.deepEqual([seen.config_path, seen.format, seen.server_key], [file, "json", "mcpServers"]);
      assert.deepEqual(
        [seen.server_name, seen.entry_exists, seen.existing_entry_summary],
        ["mcpproxy", false, undefined],
      );
      assert.deepEqual(seen.entry, { url: "http://127.0.0.1:8080/mcp" });
      assert.deepEqual([seen.contains_api_key, seen.credential], [false, "none"]);
      assert.match(seen.entry_text, /"mcpproxy": \{/);
      assert.equal(typeof seen.precondition_token, "string");
      assert.deepEqual([readFileSync(file, "utf8"), readdirSync(dirname(file))], [CURSOR, ["mcp.json"]]);
      assert.equal((await call(app, ROUTE, { params, query: { server_name: "mine" } })).server_name, "mine");
    }),
);

verifies(
  ["rest.connect.preview-summary", "rest.connect.preview-exists"],
  "of an entry that is there names are told, no values",
  () =>
    withHome({}, async (app, home) => {
      home.put(
        ".cursor/mcp.json",
        JSON.stringify({
          mcpServers: {
            mcpproxy: {
              url: "https://user:hush1234@h.example/mcp?apikey=hush5678#x",
              headers: { "X-Key": "hush9999" },
            },
            both: { url: "https://h.example/mcp", env: { TOKEN: "hush2222" } },
            local: { command: "npx", args: ["--token", "hush0000"], env: { NAME: "hush1111" } },
          },
        }),
      );
      const remote = await call(app, ROUTE, { params, query: {} });
      assert.deepEqual(remote.existing_entry_summary, {
        entry_name: "mcpproxy",
        type: "http",
        endpoint: "https://h.example/mcp",
        header_names: ["X-Key"],
      });
      const local = await call(app, ROUTE, { params, query: { server_name: "local" } });
      assert.deepEqual(local.existing_entry_summary, {
        entry_name: "local",
        type: "stdio",
        command: "npx",
        env_names: ["NAME"],
      });
      const both = await call(app, ROUTE, { params, query: { server_name: "both" } });
      assert.deepEqual(both.existing_entry_summary?.env_names, ["TOKEN"]);
      for (const seen of [remote, local, both]) assert.doesNotMatch(JSON.stringify(seen), /hush/);
    }),
);

verifies(
  ["rest.connect.preview-key-masked", "rest.connect.preview-token"],
  "a credential is never told, and two instances give tokens of their own",
  () =>
    withHome({ config: { require_mcp_auth: true } }, async (app, home) => {
      home.put(".cursor/mcp.json", CURSOR);
      const seen = await call(app, ROUTE, { params, query: {} });
      assert.equal(seen.contains_api_key, true);
      assert.deepEqual(seen.entry.headers, { "X-API-Key": "•••• (72 chars)" });
      assert.match(seen.diff, /"X-API-Key": "•••• \(72 chars\)"/);
      assert.match(seen.note!, /other users of this machine can read the file \(mode 644\)/);
      assert.ok(!JSON.stringify(seen).includes(app.boot.apiKey));
      await withHome({ config: { require_mcp_auth: true } }, async (other, elsewhere) => {
        elsewhere.put(".cursor/mcp.json", CURSOR);
        const again = await call(other, ROUTE, { params, query: {} });
        assert.notEqual(again.precondition_token, seen.precondition_token);
      });
    }),
);

verifies(
  ["rest.connect.preview-refusal", "rest.connect.same-guard"],
  "a preview gives the very reason for which the connect is refused",
  () =>
    withHome({}, async (app, home) => {
      home.put(".cursor/mcp.json", '{ "mcpServers": [] }');
      for (const client of ["cursor", "opencode", "continue"]) {
        const { connect_refusal } = await call(app, ROUTE, { params: { client }, query: {} });
        const refused = call(app, "POST /api/v1/connect/{client}", { params: { client }, body: { force: true } });
        await assert.rejects(refused, { status: 400, message: connect_refusal });
      }
    }),
);

const SECRET = "s3cr3t-value-of-other";
const FILES: [client: string, name: string, text: string][] = [
  [
    "cursor",
    ".cursor/mcp.json",
    `{ "mcpServers": {\n "other": { "env": { "A": "${SECRET}" }, "command": "x" } // "API_KEY": "sk-ant-REDACTED"\n} }\n`,
  ],
  [
    "cursor",
    ".cursor/mcp.json",
    `{ "mcpServers": {\n "o": { "url": "https://h/mcp?token=\\u00733cr3t-value-of-other" }\n} }\n`,
  ],
  ["codex", ".codex/config.toml", `[mcp_servers.other]\ncommand = "x"\nargs = ["--api-key", '${SECRET}']\n`],
  ["codex", ".codex/config.toml", `[mcp_servers.other]\nurl = "u"\nhttp_headers = { a = "${SECRET}" }\n`],
  ["goose", ".config/goose/config.yaml", `extensions:\n  other:\n    cmd: x\n    envs:\n      A: ${SECRET}\n`],
  ["continue", ".continue/config.yaml", `models:\n  - apiKey: ${SECRET}\nmcpServers:\n`],
];

for (const [client, name, text] of FILES)
  test(`the difference for ${client} masks what stands beside: ${text.replaceAll(/\s+/g, " ").slice(0, 60)}`, () =>
    withHome({}, async (app, home) => {
      home.put(name, text);
      const { diff } = await call(app, ROUTE, { params: { client }, query: {} });
      assert.match(diff, /^@@ /);
      assert.match(diff, /^\+.*127\.0\.0\.1:8080/m);
      assert.doesNotMatch(diff, /s3cr3t|u00733|REDACTED"/);
      assert.equal(readFileSync(join(home.path, name), "utf8"), text);
    }));

test("the difference shows no value of the present entry, secret or not, and nothing of other servers", () =>
  withHome({}, async (app, home) => {
    home.put(
      ".cursor/mcp.json",
      JSON.stringify({
        mcpServers: {
          mcpproxy: {
            command: "npx",
            args: ["--pin", "1234", "hunter2secret"],
            port: 4711,
            url: "https://me@h/?who=1",
          },
          other: { command: "y", args: ["plainpassword99"] },
        },
      }),
    );

    const { diff } = await call(app, ROUTE, { params, query: {} });

    assert.match(diff, /^-.*"args"/m, "names are shown");
    assert.match(diff, /^\+.*127\.0\.0\.1:8080/m);
    assert.doesNotMatch(diff, /1234|hunter2|4711|who=|plainpassword99|other/);
  }));

test("an entry that says already what a connect would write makes no difference", () =>
  withHome({}, async (app, home) => {
    home.put(".cursor/mcp.json", '{"mcpServers": {"mcpproxy": {"url": "http://127.0.0.1:8080/mcp"}}}');

    const { diff, entry_exists } = await call(app, ROUTE, { params, query: {} });

    assert.deepEqual([diff, entry_exists], ["", true]);
  }));
