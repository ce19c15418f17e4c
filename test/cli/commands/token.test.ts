import assert from "node:assert/strict";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { listenForCli, listenTest, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { atTerminal } from "#test/kit/terminal.ts";

const app = await testApp({
  connect: false,
  servers: [
    { name: "git", command: "true" },
    { name: "db", command: "true" },
  ],
  config: { profiles: [{ name: "work", servers: ["git"] }] },
});
const { env, ...daemon } = await listenForCli({ after }, app);
const proxy = (...argv: string[]) => cli(argv, commands, { env });
const json = async (...argv: string[]) => JSON.parse((await proxy(...argv, "--json")).out);

test("a token is created, shown, listed, regenerated, revoked and deleted from the command line", async () => {
  assert.match((await proxy("token", "list")).out, /no agent tokens; create one with: .* token create/);

  const created = await proxy(
    ...["token", "create", "ci", "--servers", "git, db", "--permissions", "read,write"],
    ...["--expires", "12h", "--profile", "work"],
  );
  assert.equal(created.code, 0);
  assert.match(created.out, /^mcp_agt_[0-9a-f]{64}\n$/, "standard output is the secret alone");
  assert.match(created.err, /token ci is valid until .*; store it now, it is not shown again/);
  const secret = created.out.trim();

  const shown = await json("token", "show", "ci");
  assert.deepEqual(
    [shown.allowed_servers, shown.permissions, shown.profile_pin],
    [["git", "db"], ["read", "write"], "work"],
  );
  assert.equal(Date.parse(shown.expires_at) - Date.parse(shown.created_at), 12 * 3_600_000);

  const asAgent = { env: { SERVICE_URL: daemon.url, SERVICE_API_KEY: secret } };
  assert.match((await cli(["upstream", "list"], commands, asAgent)).out, /git/);
  assert.match((await cli(["token", "list"], commands, asAgent)).err, /operation requires admin access/);

  const { out: renewed } = await proxy("token", "regenerate", "ci");
  assert.notEqual(renewed.trim(), secret);
  assert.equal((await cli(["status"], commands, asAgent)).code, 1);

  assert.match((await proxy("token", "list")).out, /ci +mcp_agt_[0-9a-f]{4}… +active +git,db +read,write +work/);
  assert.match((await proxy("token", "revoke", "ci")).out, /revoked ci/);
  assert.match((await proxy("token", "list")).out, /revoked/);
  assert.match((await proxy("token", "delete", "ci")).out, /deleted ci/);
  assert.deepEqual(await json("token", "list"), []);
});

test("what cannot be done is said; wrong words exit 2, an unknown name 1", async () => {
  for (const [argv, wanted, exit] of [
    [["token", "create", "a", "--permissions", "write"], /must include read/, 2],
    [["token", "create", "a", "--servers", "none"], /unknown server: "none"/, 2],
    [["token", "revoke", "nobody"], /agent token "nobody" not found/, 1],
  ] as const) {
    const { code, err } = await proxy(...argv);
    assert.equal(code, exit, argv.join(" "));
    assert.match(err, wanted);
  }
});

const opened = async (run: (url: string, required: () => boolean) => Promise<void>) => {
  const own = await testApp({ connect: false });
  const listener = await listenTest(own);
  try {
    await run(listener.url, () => own.config.current().require_mcp_auth);
  } finally {
    await listener.close();
    await own.close();
  }
};
const OPTIONAL = /tokens are optional on \/mcp.*config set require_mcp_auth true/;

test("token create and token list name the command that requires tokens until they are required", () =>
  opened(async (url, required) => {
    const run = (...argv: string[]) => cli(argv, commands, { env: { SERVICE_URL: url, SERVICE_API_KEY: daemon.key } });

    const first = await run("token", "create", "a");
    const list = await run("token", "list");
    assert.match(first.err, OPTIONAL);
    assert.match(first.out, /^mcp_agt_[0-9a-f]{64}\n$/);
    assert.match(list.err, OPTIONAL);
    assert.equal(required(), false);

    const second = await run("token", "create", "b", "--require-auth");
    assert.equal(second.code, 0);
    assert.match(second.err, /without a credential are now rejected/);
    assert.equal(required(), true);
    for (const argv of [["create", "c"], ["list"]]) assert.doesNotMatch((await run("token", ...argv)).err, OPTIONAL);
  }));

test("at a terminal the first token offers to require tokens, once and only a yes does it", async () => {
  for (const [answer, wanted] of [
    ["", false],
    ["n", false],
    ["y", true],
  ] as const)
    await opened(async (url, required) => {
      const create = (name: string) =>
        atTerminal(["token", "create", name], commands, {
          env: { SERVICE_URL: url, SERVICE_API_KEY: daemon.key },
          answers: [answer],
        });

      const first = await create("a");
      assert.equal(first.code, 0, first.err);
      assert.match(first.err, /Reject MCP clients without a credential from now on\? \[y\/N\]/);
      assert.equal(required(), wanted, answer);

      assert.equal((await create("b")).left, 1, "asked again");
    });
});
