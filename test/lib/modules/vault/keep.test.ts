import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { keep } from "#lib/modules/vault/keep.ts";
import { keepEach } from "#lib/modules/vault/keep-each.ts";
import { admin } from "#test/kit/actor.ts";
import { testApp } from "#test/kit/app.ts";

const app = await testApp({ connect: false });
after(() => app.close());

/** The keyring holds a secret that it cannot be asked for now, as one does whose owner has locked it. */
const locked: App = {
  ...app,
  secrets: {
    ...app.secrets,
    get: async (name) => {
      if (name === "git-TOKEN") throw new Error("it is locked");
      return await app.secrets.get(name);
    },
  },
};

test("a secret that cannot be read now is not written over", async () => {
  await app.secrets.set("git-TOKEN", "the one before");
  const refused = { code: "secret_unwritable", message: /"git-TOKEN" cannot be stored: .*it is locked/ };

  await assert.rejects(keep(locked, "git-TOKEN", "another"), refused);
  await assert.rejects(keepEach(locked, [{ name: "git-TOKEN", value: "another" }], false, admin), refused);

  assert.equal(await app.secrets.get("git-TOKEN"), "the one before");
});

test("what was stored before one of several could not be is forgotten again", async () => {
  const wanted = ["git-FIRST", "git-TOKEN"].map((name) => ({ name, value: "another" }));
  await assert.rejects(keepEach(locked, wanted, false, admin), { code: "secret_unwritable" });
  assert.equal(await app.secrets.get("git-FIRST"), undefined);
});

test("a name that another value has is passed over, and one with the same value is used as it is", async () => {
  await app.secrets.set("jira-KEY", "theirs");
  const [first, again] = [
    { name: "jira-KEY", value: "ours" },
    { name: "jira-KEY", value: "theirs" },
  ];
  const { names, undo } = await keepEach(app, [first!, again!], false, admin);
  assert.deepEqual([names.get(first!), names.get(again!)], ["jira-KEY-2", "jira-KEY"]);
  await undo();
  assert.deepEqual(
    [await app.secrets.get("jira-KEY"), await app.secrets.get("jira-KEY-2")],
    ["theirs", undefined],
    "only what was stored here is forgotten",
  );
});
