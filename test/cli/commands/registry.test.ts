import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { listenForCli, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { npmPackage, server } from "#test/kit/registry.ts";

/** Registries and the move of secrets by command, against a real daemon in this process. */
const app = await testApp({
  connect: false,
  servers: [{ name: "git", command: "x", env: { TOKEN: "sesame-open-1" }, headers: { "X-Note": "plain" } }],
});
const { env } = await listenForCli({ after }, app);
const proxy = (line: string, stdin?: string) =>
  cli(line.split(" "), commands, { env, ...(stdin !== undefined && { stdin }) });

const list = join(app.dir, "ours.json");
writeFileSync(
  list,
  JSON.stringify({
    servers: [
      server("com.example/crm", {
        description: "customers\u202e and \u001b[31mdeals",
        packages: [
          npmPackage("crm", {
            environmentVariables: [{ name: "CRM_TOKEN", isRequired: true, isSecret: true }],
            packageArguments: [{ type: "positional", valueHint: "folder", isRequired: true }],
          }),
        ],
      }),
      { server: { name: "no name\u202e", version: "1.0.0" } },
    ],
  }),
);

test("a registry is added, looked through, installed from and removed", async () => {
  assert.match((await proxy(`registry add ${list}`)).out, /^added registry ours: file:\/\/\//);
  assert.match((await proxy("registry list")).out, /\nours +ours +custom +1 +file:/);
  const absent = await proxy("registry add ./nope.json");
  assert.equal(absent.code, 2);
  assert.match(absent.err, /file \.\/nope\.json does not exist; a URL must start with https:\/\//);
  const found = await proxy("registry search deals -r ours");
  assert.match(
    found.out,
    /\ncom\.example\/crm +1\.0\.0 +npm +\[scan: unicode\.bidi\] customers<U\+202E> and \[31mdeals\n/,
  );
  assert.match(found.err, /invalid entries skipped: 1\n/);
  assert.match(found.err, /registry show com\.example\/crm -r ours/);
  const shown = await proxy("registry show com.example/crm -r ours");
  assert.match(shown.out, /install_cmd: npx -y crm@1\.0\.0 <folder>\n/);
  assert.match(
    shown.err,
    /registry install com\.example\/crm -r ours --env folder=… --env CRM_TOKEN=…|--env CRM_TOKEN=… --env folder=…/,
  );

  const lacking = await proxy("registry install com.example/crm -r ours --env folder=/srv");
  assert.equal(lacking.code, 2);
  assert.match(lacking.err, /"com\.example\/crm" needs CRM_TOKEN; send each .*--env NAME=value/);
  const done = await proxy("registry install com.example/crm -r ours --env folder=/srv --env CRM_TOKEN=sesame-two");
  assert.equal(done.out, "added crm, in quarantine\n");
  assert.match(done.err, /Stored as secrets: crm-CRM_TOKEN\n(?:.*\n)*.*proxy review crm/);
  assert.deepEqual(app.config.server("crm")?.args, ["-y", "crm@1.0.0", "/srv"]);

  const off = await proxy(
    "registry install com.example/crm -r ours --name off --env folder=/srv --env CRM_TOKEN=s --no-enabled",
  );
  assert.match(off.err, /Start it: .* upstream enable off\n$/);

  assert.equal((await proxy("registry edit ours --name Mine")).out, "changed registry ours: name\n");
  assert.equal((await proxy("registry edit ours")).code, 2);
  assert.match((await proxy("registry refresh ours")).out, /^cleared \d+ cached response\(s\) of ours$/m);
  assert.equal((await proxy("registry remove ours")).out, "removed registry ours\n");
  assert.equal((await proxy("registry remove official")).code, 1);
  assert.match((await proxy("registry search x -r ours")).err, /registry "ours" not found; see: proxy registry list/);
});

test("secrets that stand in the configuration are shown masked, then moved", async () => {
  const seen = await proxy("secrets migrate");
  assert.match(
    seen.out,
    /\ngit +env\.TOKEN +••••-1 \(13 chars\) +\$\{keyring:git-TOKEN\} +(?:system keyring|encrypted file)\n/,
  );
  assert.match(seen.err, /1 secret in the configuration file; move them with: .*secrets migrate --apply/);
  assert.match((await proxy("secrets migrate --server git --apply")).err, /1 secret moved out/);
  assert.equal(app.config.server("git")?.env?.TOKEN, "${keyring:git-TOKEN}");
  assert.equal((await proxy("secrets migrate")).out, "no secrets in the configuration file\n");
});

test("a reference without a value names no store, since none holds it", async () => {
  await app.config.update((draft) => {
    draft.mcpServers.push({ name: "mail", command: "x", enabled: false, env: { KEY: "${keyring:mail-KEY}" } });
  }, "test");
  const { out } = await proxy("secrets list");
  assert.match(out, /\nmail-KEY +missing +mail env\.KEY\n/);
});
