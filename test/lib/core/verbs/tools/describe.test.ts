import assert from "node:assert/strict";
import { describeTools } from "#lib/core/verbs/tools/describe.ts";
import { agent } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(
  "rest.version.invisible",
  "an id out of scope is told as one that nobody has: not_found, and no word more",
  () =>
    withApp(
      {
        connect: false,
        servers: [
          { name: "git", command: "x" },
          { name: "web", command: "x" },
        ],
        tools: { "git:log": "approved", "web:get": "approved" },
      },
      async (app) => {
        const { caller } = agent(["git"]);
        const missing = (id: string) => JSON.stringify(describeTools(app, caller, [id]).errors).replaceAll(id, "ID");

        assert.equal(describeTools(app, caller, ["git:log"]).definitions.length, 1);
        assert.equal(JSON.parse(missing("web:get"))[0].error, "not_found");
        assert.equal(missing("web:get"), missing("web:gone"));
        assert.doesNotMatch(missing("web:get"), /invisible/);
      },
    ),
);
