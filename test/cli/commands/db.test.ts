import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { cli } from "#test/kit/cli.ts";
import { damagePagesWith } from "#test/kit/damage.ts";
import { activityRecord, temporaryFolder, testStore } from "#test/kit/store.ts";

const proxy = (dir: string, line: string, env: Record<string, string> = {}) =>
  cli(["-d", dir, ...line.split(" ")], commands, { env: { HOME: dir, ...env } });

test("db check says what is lost, db recover saves the rest, and then the database is whole", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);
  const store = await testStore(t, { dir });
  const tool = (n: number) => `tool-${String(n).padStart(4, "0")}`;
  await Promise.all(
    Array.from({ length: 300 }, (_, n) => store.activity.add(activityRecord({ id: `r${n}`, tool_name: tool(n) }))),
  );
  await store.close();

  const whole = await proxy(dir, "db check");
  assert.equal(whole.code, 0, whole.err);
  assert.match(whole.out, /proxy\.db is intact: \d+ row\(s\) in \d+ tables/);

  damagePagesWith(dir, tool(150));
  const damaged = await proxy(dir, "db check");
  assert.equal(damaged.code, 1);
  assert.match(damaged.out, /^activity: \d+ readable row\(s\); [1-9]\d* lost/m);
  assert.match(damaged.out, /is damaged; stop the proxy .*proxy db recover/);

  const running = await testStore(t, { dir });
  const refused = await proxy(dir, "db recover");
  assert.equal(refused.code, 3);
  assert.match(refused.err, /in use by another proxy/);
  await running.close();

  const recovered = await proxy(dir, "db recover");
  assert.equal(recovered.code, 0, recovered.err);
  assert.match(recovered.out, /the damaged one is kept as \S+proxy\.db\.damaged-\d{8}T\d{6}Z/);
  assert.equal((await proxy(dir, "db check")).code, 0);
  assert.ok(readdirSync(dir).some((name) => name.startsWith("proxy.db.damaged-")));
});

test("with a proxy elsewhere named, db check looks at no files of this machine", async (t) => {
  const { dir, remove } = temporaryFolder();
  t.after(remove);

  const { code, err } = await proxy(dir, "db check", { SERVICE_URL: "https://proxy.example" });

  assert.equal(code, 2);
  assert.match(err, /run it on the proxy's machine/);
});
