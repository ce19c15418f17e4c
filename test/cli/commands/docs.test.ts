import assert from "node:assert/strict";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { listenForCli, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";

const docs = (...words: string[]) => cli(["docs", ...words], commands, { env: { SERVICE_URL: "http://127.0.0.1:1" } });

test("docs lists the pages, and prints one of them, without a proxy", async () => {
  const list = await docs();
  assert.match(list.out, /^index +First steps\ninstall +Install\n/);
  assert.match(list.out, /^internals-search +Search$/m);

  const page = await docs("recipes");
  assert.deepEqual([page.code, page.out.startsWith("# Recipes\n\nStep-by-step")], [0, true]);
  assert.match(page.out, /^## Corporate network$/m);
});

test("a section is printed with what is below it, and with no more", async () => {
  const one = await docs("troubleshooting#server_failing");
  assert.match(one.out, /^### server_failing\n\nA server does not start/);
  assert.doesNotMatch(one.out, /server_sign_in/);

  const many = await docs("troubleshooting.html#symptoms");
  assert.match(many.out, /^## Symptoms\n/);
  assert.match(many.out, /^### A client shows no tools$/m);
  assert.doesNotMatch(many.out, /## Findings/);
});

test("an unknown page or section is an error that names similar ones", async () => {
  const page = await docs("trobleshooting");
  assert.deepEqual([page.code, page.out], [2, ""]);
  assert.match(page.err, /there is no page "trobleshooting".*did you mean troubleshooting\?/);
  const section = await docs("troubleshooting#server_falling");
  assert.match(section.err, /no section "server_falling" on the page.*did you mean server_failing\?/);
});

test("--web gives the address of the page at the running proxy", async () => {
  const app = await testApp({ connect: false });
  const { env } = await listenForCli({ after }, app);
  const { code, out } = await cli(["docs", "faq", "--web"], commands, { env });

  assert.equal(code, 0);
  assert.match(out, /^http:\/\/127\.0\.0\.1:\d+\/docs\/guide\/faq\.html\n$/);
});
