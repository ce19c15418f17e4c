import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { listenForCli, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";

const app = await testApp({ connect: false });
const { env, ...daemon } = await listenForCli({ after }, app);
const run = (argv: string[], stdin?: string) =>
  cli(["import", ...argv], commands, { env, ...(stdin !== undefined && { stdin }) });
const names = () => app.config.current().mcpServers.map(({ name }) => name);
const CONTENT = JSON.stringify({
  mcpServers: {
    git: { command: "git-mcp", env: { TOKEN: "s3cr3t-value-1" } },
    me: { url: `${daemon.url}/mcp` },
    web: { url: "https://w.example/mcp" },
  },
});

test("without --apply it is shown what would be added or left out, and why, and nothing changes", async () => {
  const { code, out, err } = await run(["-"], CONTENT);

  assert.equal(code, 0);
  assert.match(out, /^git +would be added +git-mcp +env\.TOKEN looks like a secret$/m);
  assert.match(out, /^me +skipped +own entry +refers to this proxy$/m);
  assert.match(err, /nothing was changed; to import add --apply/);
  assert.deepEqual(names(), []);
});

test("with --apply it is done, with secrets in the keyring where asked for", async () => {
  const path = join(app.dir, "mine.json");
  writeFileSync(path, CONTENT);
  const { code, out } = await run([path, "--apply", "--only", "git", "--secrets-to-keyring", "--rename", "git=source"]);

  assert.equal(code, 0);
  assert.match(
    out,
    /^source +added +git-mcp +env\.TOKEN is stored as secret source-TOKEN in the (?:system keyring|encrypted file)$/m,
  );
  assert.deepEqual(names(), ["source"]);
  assert.equal(await app.secrets.get("source-TOKEN"), "s3cr3t-value-1");
});

test("known clients are listed, and one is imported by its word", async () => {
  const { path } = JSON.parse((await run(["--json"])).out).find(
    ({ format }: { format: string }) => format === "cursor",
  );
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, CONTENT);

  const listed = await run([]);
  assert.match(listed.out.split("\n")[1] ?? "", /^cursor +yes +\S+/);
  assert.match(listed.err, /import --from cursor/);
  const again = await run(["--from", "cursor", "--only", "me", "--apply"]);
  assert.deepEqual([again.code, again.err], [0, ""]);
  const { code, out } = await run(["--from", "cursor", "--only", "web", "--apply", "--json"]);
  assert.deepEqual([code, JSON.parse(out).summary.imported, JSON.parse(out).format], [0, 1, "cursor"]);
  assert.ok(names().includes("web"));
  writeFileSync(path, JSON.stringify({ mcpServers: { more: { command: "more-mcp" } } }));
  const { err } = await run(["cursor", "--apply"]);
  assert.match(
    err,
    /entries of cursor stay .* each tool twice.* skip quarantine.* connect add cursor/,
    "a client's id alone",
  );
});

test("--move shows what would leave the client's file, removes it with --apply, and connect undo puts it back", async () => {
  const { path } = JSON.parse((await run(["--json"])).out).find(
    ({ format }: { format: string }) => format === "cursor",
  );
  const text = '{ "mcpServers": { "moved": { "command": "moved-mcp" }, "kept": { "command": "kept-mcp" } } }';
  writeFileSync(path, text);
  const argv = ["--from", "cursor", "--only", "moved", "--move"];

  assert.match((await run(argv)).err, /1 entry would be removed/);
  assert.equal(readFileSync(path, "utf8"), text);

  const { code, err } = await run([...argv, "--apply"]);
  assert.equal(code, 0, err);
  assert.match(err, /1 entry removed from [\s\S]*connect undo cursor[\s\S]*connect add cursor/);
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(path, "utf8")).mcpServers), ["kept"]);
  assert.ok(names().includes("moved"));
  assert.equal((await cli(["connect", "undo", "cursor"], commands, { env })).code, 0);
  assert.equal(readFileSync(path, "utf8"), text);
  assert.equal((await run(["-", "--move"], text)).code, 2);
});

test("a client's name that is misspelt is answered with the nearest one", async () => {
  for (const argv of [["--from", "cursr"], ["cursr"]]) {
    const { code, err } = await run(argv);
    assert.equal(code, 2);
    assert.match(err, /did you mean (?:--from )?cursor\?/);
  }
});

test("what cannot be a server here makes it exit 1, and a wrong line 2", async () => {
  const bad = JSON.stringify({ mcpServers: { bad: { url: "ftp://x/y" }, good: { command: "x" } } });
  const { code, out } = await run(["-", "--apply"], bad);
  assert.deepEqual([code, /^bad +failed /m.test(out), names().includes("good")], [1, true, true]);

  assert.equal((await run(["--from", "nobody"])).code, 2);
  assert.equal((await run(["--apply"])).code, 2);
  assert.equal((await run(["x.json", "--from", "cursor"])).code, 2);
  assert.equal((await run(["-", "--rename", "x"], bad)).code, 2);
  assert.equal((await run(["-"], "{ broken")).code, 2);
});
