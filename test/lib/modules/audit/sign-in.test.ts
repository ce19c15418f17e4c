import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { auditLog } from "#lib/modules/audit/state.ts";
import { TEST_KEY, withApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { PAGE } from "#test/kit/panel-session.ts";
import { team } from "#test/kit/team.ts";

const linesOf = (dir: string) =>
  readFileSync(join(dir, "audit", "audit.log"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("signing in to the panel, failing to, and signing out each have their line; the key is in none", () =>
  withApp({ connect: false, config: { audit_log: { enabled: true } } }, async (app) => {
    await ask(app, "POST /ui/session", { as: PAGE, body: { key: "wrong-key-9f8e7d6c" } });
    const { headers } = await ask(app, "POST /ui/session", { as: PAGE, body: { key: TEST_KEY } });
    const cookie = headers.get("set-cookie")!.split(";", 1)[0]!;
    await ask(app, "DELETE /ui/session", { as: { ...PAGE, cookie } });
    await app.part(auditLog).close();

    const lines = linesOf(app.dir);
    const events = lines.filter(({ event }) => event === "auth_event");
    assert.deepEqual(
      events.map(({ surface, outcome, reason, caller }) => [surface, outcome, reason, caller.kind]),
      [
        ["login", "failure", "sign_in_refused", "anonymous"],
        ["login", "success", undefined, "api_key"],
        ["logout", "success", undefined, "api_key"],
      ],
    );
    assert.doesNotMatch(JSON.stringify(lines), new RegExp(`${TEST_KEY}|wrong-key|${cookie.split("=")[1]}`));
  }));

test("a person of the multi-user edition is named in the line of a sign-in, of what they asked, and of what they called", async (t) => {
  const { app, browser, url } = await team(t, { config: { audit_log: { enabled: true } } });
  const alice = browser();
  await alice.signIn("alice");
  await alice.go("/api/v1/auth/me");
  await alice.go("/api/v1/admin/users");
  await alice.send("POST", `${url}/api/v1/auth/logout`);
  await app.part(auditLog).close();

  const lines = linesOf(app.dir);
  const told = lines
    .filter(({ caller }) => caller?.user_email === "alice@example.com")
    .map(({ event, surface, operation, decision, outcome }) =>
      [event, operation ?? surface, decision ?? outcome].join(" "),
    );
  assert.deepEqual(told, [
    "auth_event login success",
    "authz GET /api/v1/auth/me allow",
    "authz GET /api/v1/admin/users deny",
    "auth_event logout success",
    "authz POST /api/v1/auth/logout allow",
  ]);
});
