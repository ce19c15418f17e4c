import assert from "node:assert/strict";
import { notifications } from "#lib/modules/notifications/state.ts";
import { panelTest } from "#test/kit/browser.ts";
import { ask } from "#test/kit/http.ts";
import { startReceiver } from "#test/kit/receiver.ts";
import { activityRecord } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";

const WORLD = {
  connect: true,
  config: {
    update_check: { enabled: false },
    notifications: {
      channels: [{ name: "ops", type: "slack", url: "https://127.0.0.1:1/services/secret-path" }],
    },
    sinks: [{ name: "archive", type: "file" }],
  },
};

panelTest(
  "the page lists channels and sinks, and tests each; a failure names no secret",
  WORLD,
  async ({ app, page, open, accessible, pictures }) => {
    await until("the channel runs", () => app.part(notifications).list()[0]!.state !== "disabled");
    await open("/notifications");
    await page.getByRole("button", { name: "Test archive" }).click();
    await page.getByText("archive accepted a test record").waitFor();
    await accessible();
    await pictures("notifications");

    await page.getByRole("button", { name: "Test ops" }).click();
    await page.getByText(/outbound_allow/).waitFor();
    assert.ok(!(await page.content()).includes("secret-path"));
  },
);

const LINKED = {
  connect: true,
  servers: [
    { name: "git", command: "true", enabled: false, quarantined: true },
    { name: "mail", command: "true", enabled: false, held: true },
    { name: "notes", command: "true", enabled: false },
  ],
  tools: { "notes:add": "pending" as const },
  config: { update_check: { enabled: false }, outbound_allow: ["127.0.0.1"] },
  env: { HOOK: `whsec_${Buffer.from("a key of twenty-four byte").toString("base64")}` },
};

/** The title of each notice, the heading of the page that its link opens, and what a person acts on there. */
const LINKS: readonly [title: string, heading: string, action: RegExp][] = [
  ["Server git waits for a review", "Approvals", /^git$/],
  ["Server mail waits for a confirmation", "mail", /^Review$/],
  ["1 new tool or other item of notes waits for approval", "Approvals", /^add$/],
  ["What server notes runs differs from what was approved", "notes", /scan/],
  ["Sensitive data in a call of notes:add", "add", /^No request or response$/],
  ["A limit of notes was reached, and a call was rejected", "Activity", /No capacity/],
  ["The agent token robot expires soon", "Tokens and profiles", /^robot$/],
];

panelTest("the link of each notice opens the page where somebody can act", LINKED, async (panel, t) => {
  const { app, page, open } = panel;
  const receiver = await startReceiver(t);
  const channel = { name: "ops", type: "webhook", url: receiver.url, secret: "${env:HOOK}" };
  const configured = await ask(app, "PATCH /api/v1/config", { body: { notifications: { channels: [channel] } } });
  assert.equal(configured.status, 200, configured.body.error);
  await until("the channel runs", () => app.part(notifications).list()[0]!.state === "ready");
  // No test waits for servers that are enabled only now: these do not work.
  await app.config.update((draft) => {
    draft.mcpServers = draft.mcpServers.map((server) => ({ ...server, enabled: true }));
  }, "test");
  const record = { server_name: "notes", tool_name: "add" };
  await app.store.activity.add(activityRecord({ ...record, id: "rec-1", at: Date.now() }));
  await app.store.activity.add(activityRecord({ ...record, id: "rec-2", at: Date.now(), status: "rejected" }));
  assert.equal((await ask(app, "POST /api/v1/tokens", { body: { name: "robot", expires_in: "24h" } })).status, 201);
  const call = { server_name: "notes", tool_name: "add", request_id: "r", source: "mcp" } as const;
  app.events.publish("security.integrity_alert", { ...call, alert_type: "files_changed", action: "reported" });
  const found = { detection_count: 1, detection_types: ["github_token"], max_severity: "critical" };
  app.events.publish("sensitive_data.detected", { ...call, ...found, activity_id: "rec-1" });
  const limit = { reason: "queue_full", scope: "server", limit: 1, retry_after_ms: 1, message: "too many calls" };
  app.events.publish("activity.tool_call.rejected", { ...call, ...limit, duration_ms: 0, id: "x" });
  app.events.publish("servers.changed", { reason: "resumed" });
  const links = () => {
    const notices = receiver.requests.flatMap(
      ({ body }) => JSON.parse(body).notices as { title: string; url: string }[],
    );
    return new Map(notices.map(({ title, url }) => [title, url.replace(/^.*\/ui(?=\/)/, "")]));
  };

  for (const [title, heading, action] of LINKS) {
    await until(title, () => links().has(title));
    await open(links().get(title)!);
    await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
    await page.getByText(action).filter({ visible: true }).first().waitFor();
  }
  assert.deepEqual([...links().keys()].sort(), LINKS.map(([title]) => title).sort());
});
