import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAllowedServers } from "#lib/modules/code/allowed-servers.ts";
import { admin, agent } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";

const SERVERS = [
  { name: "git", command: "x" },
  { name: "jira", command: "x" },
];

test("a list of allowed servers that names an unknown one is refused with the nearest; out of scope is unknown", () =>
  withApp({ connect: false, servers: SERVERS }, async (app) => {
    const check = (allowed: string[], by = admin) => checkAllowedServers(app, by.caller, allowed);

    check([]);
    check(["git", "jira"]);
    check(["git"], agent(["git"]));
    assert.throws(() => check(["git", "gti"]), /unknown server "gti"; did you mean "git"\?/);
    assert.throws(() => check(["jira"], agent(["git"])), /unknown server "jira"; list them/);
    assert.throws(() => check(["nowhere"], agent(["git"])), /unknown server "nowhere"; list them/);
  }));

test("the refusal is INVALID_OPTIONS, before anything runs", () =>
  withApp({ connect: false, servers: SERVERS }, async (app) => {
    const body = { code: "1", options: { allowed_servers: ["typo"] } };

    const { status, body: answer } = await ask(app, "POST /api/v1/code/exec", { body });

    assert.deepEqual([status, answer.ok, answer.error.code], [400, false, "INVALID_OPTIONS"]);
    assert.match(answer.error.message, /allowed_servers: unknown server "typo"/);
  }));
