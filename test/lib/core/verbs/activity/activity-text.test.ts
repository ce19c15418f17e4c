import assert from "node:assert/strict";
import { test } from "node:test";
import { activityActionText, activityClientText } from "#lib/core/verbs/activity/activity-text.ts";

const ROWS: [metadata: Record<string, unknown> | undefined, text: string][] = [
  [{ action: "token_create", token: "ci" }, "token_create ci"],
  [{ action: "secret_store", secret: "git-TOKEN" }, "secret_store git-TOKEN"],
  [{ action: "client_connect", client: "cursor", path: "/h/mcp.json", outcome: "created" }, "client_connect cursor"],
  [{ action: "apply", fields: ["listen", "tls"] }, "apply listen tls"],
  [{ action: "activate_profile", profile: "dev" }, "activate_profile dev"],
  [{ verdict: "blocked" }, "blocked"],
  [{ action: "user_session_end", user_id: "u1" }, "user_session_end u1"],
  [{ action: 3, token: { a: 1 } }, ""],
  [undefined, ""],
];

for (const [metadata, text] of ROWS)
  test(`a change is told with what it was about: "${text}"`, () => assert.equal(activityActionText(metadata), text));

test("the client of a record is told by its own name", () => {
  assert.equal(activityClientText({ client_name: "cursor", client_version: "1.2" }), "cursor 1.2");
  assert.equal(activityClientText({ client_name: "cursor", client_version: "" }), "cursor");
  assert.equal(activityClientText({ client_name: 3 }), "");
});
