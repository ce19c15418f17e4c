import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { EventOf } from "#lib/core/schema/event.ts";
import type { UpstreamConnection } from "#lib/core/upstream/connection.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { until as untilKnown } from "#test/kit/until.ts";

const until = (fits: () => boolean) => untilKnown("what was edited is there", fits);
const editFile = (app: TestApp, change: (document: { mcpServers: Record<string, unknown>[] }) => void) => {
  const document = JSON.parse(readFileSync(app.config.path, "utf8"));
  change(document);
  writeFileSync(app.config.path, JSON.stringify(document));
};

test("each changed server is announced by name, and no other", () =>
  withApp(
    {
      connect: false,
      servers: [
        { name: "a", command: "x" },
        { name: "b", command: "x" },
      ],
    },
    async (app) => {
      const heard: unknown[] = [];
      app.events.subscribe(({ kind, data }: EventOf) => {
        if (kind === "servers.changed") heard.push(data);
      });

      await app.config.update((draft) => {
        draft.mcpServers[0]!.enabled = false;
        draft.mcpServers.push({ name: "c", command: "x", enabled: true });
      }, "test");
      await app.config.update((draft) => {
        draft.mcpServers.splice(1, 1);
        draft.tools_limit = 20;
      }, "test");

      assert.deepEqual(heard, [
        { server: "a", reason: "server_changed" },
        { server: "c", reason: "server_added" },
        { server: "b", reason: "server_removed" },
      ]);
    },
  ));

test("a quarantine lifted in the file releases the pending tools, as a person's doing (spec 001 §3)", () =>
  withApp(
    {
      connect: false,
      servers: [{ name: "a", command: "x", quarantined: true }],
      tools: { "a:t": "pending", "a:u": "changed" },
    },
    async (app) => {
      editFile(app, (document) => {
        document.mcpServers[0]!.quarantined = false;
      });

      await until(() => app.catalog.get("a:t")?.status === "approved");
      assert.equal(app.catalog.get("a:u")?.status, "changed");
      const { records } = await app.store.activity.select({ type: ["quarantine_change"] }, { limit: 10 });
      assert.deepEqual(
        records.map((r) => [r.actor, r.metadata?.action]),
        [["configuration file", "unquarantine"]],
      );
    },
  ));

test("a server removed in the file leaves no tools", () =>
  withApp({ connect: false, servers: [{ name: "a", command: "x" }], tools: { "a:t": "approved" } }, async (app) => {
    editFile(app, (document) => {
      document.mcpServers = [];
    });
    await until(() => app.catalog.get("a:t") === undefined);
    assert.equal(app.store.approvals.get("a", "t")?.status, "approved", "its approval stays for when it returns");
  }));

test("each change of the configuration is followed once, and a removed server leaves the catalog once", () =>
  withApp(
    { connect: false, servers: [{ name: "a", command: "x", enabled: false }], tools: { "a:t": "approved" } },
    async (app) => {
      app.upstreams.start();
      const { upstreams, catalog } = app;
      const done: string[] = [];
      count(upstreams, "reconcile", () => done.push("reconcile"));
      count(upstreams.get("a") as UpstreamConnection, "apply", () => done.push("apply"));
      count(catalog, "drop", () => done.push("drop"));

      await app.config.update(
        (draft) => void draft.mcpServers.splice(0, 1, { ...draft.mcpServers[0]!, args: ["y"] }),
        "test",
      );
      assert.deepEqual(done.splice(0), ["reconcile", "apply"]);

      await app.config.update((draft) => void draft.mcpServers.splice(0), "test");
      await until(() => app.catalog.get("a:t") === undefined);
      assert.equal(upstreams.get("a"), undefined);
      assert.deepEqual(done, ["reconcile", "drop"]);
    },
  ));

/** Calls `before` each time a method is called. */
function count<K extends string>(object: { [P in K]: (...args: never[]) => unknown }, method: K, before: () => void) {
  const original = object[method];
  object[method] = (...args) => {
    before();
    return original(...args);
  };
}
