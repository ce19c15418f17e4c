import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { everybody, send, storeScript, type Tier, WORLD } from "#test/kit/access.ts";
import { listenTest, type TestApp, testApp } from "#test/kit/app.ts";
import { toolCall } from "#test/kit/mcp.ts";
import { verifies } from "#test/kit/verifies.ts";

let app: TestApp;
let close: () => Promise<void>;
let admin: Tier;
let agents: Tier[];

before(async () => {
  app = await testApp({ ...WORLD, connect: false });
  close = (await listenTest(app)).close;
  const tiers = await everybody(app);
  admin = tiers[0]!;
  agents = tiers.filter(({ name }) => ["full", "read", "scoped", "pinned"].includes(name));
});
after(async () => {
  await close();
  await app.close();
});

const WAYS: Record<string, (tier: Tier, script: string) => Promise<string>> = {
  mcp: async (tier, script) => {
    const { text } = await send(app, tier, "POST /mcp/code", toolCall("code_execution", { script }));
    return JSON.parse(text).result.content[0].text;
  },
  rest: async (tier, script) =>
    (await send(app, tier, "POST /api/v1/code/exec", { script })).text.replace(
      /"request_id":"[^"]*"/,
      '"request_id":""',
    ),
};
const messageOf = (text: string): string => JSON.parse(text).error.message;

/** One script of each unusable kind, and two good ones. */
function populate(): void {
  for (const name of ["good", "better", "twice"]) storeScript(app, name, "1");
  const at = (file: string) => join(app.dir, "scripts", file);
  writeFileSync(at("twice.ts"), "1");
  writeFileSync(at("empty.js"), "");
  writeFileSync(at("large.js"), " ".repeat(262_145));
  symlinkSync(at("good.js"), at("link.js"));
  execFileSync("mkfifo", [at("pipe.js")]);
}

verifies(
  ["code.agent.unknown", "code.refusal.unknown"],
  "an agent learns of an unknown script's name nothing, whether there are others, none or no folder at all",
  async () => {
    for (const [way, ask] of Object.entries(WAYS))
      for (const tier of agents) {
        const answers = new Set<string>();
        const without = await ask(tier, "unknown");
        answers.add(without);
        storeScript(app, "only", "1");
        rmSync(join(app.dir, "scripts", "only.js"));
        answers.add(await ask(tier, "unknown"));
        populate();
        answers.add(await ask(tier, "unknown"));
        const told = messageOf(await ask(admin, "unknown"));
        rmSync(join(app.dir, "scripts"), { recursive: true });
        assert.equal(answers.size, 1, `${way} ${tier.name}: ${[...answers].join("\n")}`);
        assert.match(told, /better, .*good/, "an administrator is told");
      }
  },
);

verifies(
  ["code.agent.no-paths", "code.refusal.ambiguous", "code.refusal.unusable"],
  "of a script that cannot be used an agent is told why, and neither a path nor what the system said",
  async (t) => {
    if (process.platform === "win32") return t.skip("links and pipes need rights there");
    populate();
    t.after(() => rmSync(join(app.dir, "scripts"), { recursive: true }));
    const rows: [script: string, why: RegExp][] = [
      ["twice", /ambiguous/],
      ["empty", /empty/],
      ["large", /larger than/],
      ["link", /not a regular file/],
      ["pipe", /not a regular file/],
    ];
    for (const [way, ask] of Object.entries(WAYS))
      for (const [script, why] of rows) {
        const whole = messageOf(await ask(admin, script));
        assert.match(whole, why);
        assert.ok(whole.includes(app.dir), `${way}: an administrator is told where ${script} lies`);
        for (const tier of agents) {
          const text = await ask(tier, script);
          assert.match(messageOf(text), why, `${way} ${tier.name} ${script}`);
          assert.ok(!/[/\\]|\.js|\.ts|E[A-Z]{3,}/.test(messageOf(text)), `${way} ${tier.name}: ${text}`);
          assert.ok(!text.includes(app.dir) && !text.includes("better"), text);
        }
      }
  },
);

verifies(
  ["code.rest.scripts-agent", "rest.auth.scripts"],
  "listing stored scripts is for administrators only, and is said so",
  async () => {
    for (const tier of agents) {
      const { status, text } = await send(app, tier, "GET /api/v1/code/scripts");
      const { success, error } = JSON.parse(text);
      assert.deepEqual([status, success], [403, false], tier.name);
      assert.match(error, /only administrators may list stored scripts/);
      assert.ok(!text.includes(app.dir));
    }
    assert.equal((await send(app, admin, "GET /api/v1/code/scripts")).status, 200);
  },
);
