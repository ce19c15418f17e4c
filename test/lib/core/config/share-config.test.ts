import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "#lib/core/base/json-object.ts";
import type { SharedConfig, SharedConfigVersion } from "#lib/core/store/shared-config.ts";
import { opened } from "./opened.ts";
import "#lib/modules/config.gen.ts";

/** A shared configuration in memory, as several replicas see it. */
function memoryShared(first?: SharedConfigVersion) {
  let newest = first;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const shared: SharedConfig = {
    current: () => newest,
    async replace(document, seen, by) {
      if ((newest?.version ?? 0) === seen) newest = { version: seen + 1, document: structuredClone(document), by };
      queueMicrotask(notify);
      return newest!;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const put = (document: JsonObject, by: string) => {
    newest = { version: (newest?.version ?? 0) + 1, document, by };
    notify();
  };
  return { shared, put, newest: () => newest };
}

const file = (document: JsonObject) => `${JSON.stringify({ api_key: "k", ...document }, null, 2)}\n`;
const server = (name: string) => ({ name, command: "true", enabled: false });
const settled = () => new Promise((done) => setTimeout(done, 20));

test("the first replica stores what its file says, without the keys that each replica has for itself", async (t) => {
  const { shared, newest } = memoryShared();
  const { config } = await opened(t, file({ listen: ":9", tools_limit: 20, mcpServers: [server("a")] }));

  await config.share(shared);

  assert.deepEqual(newest(), {
    version: 1,
    document: { tools_limit: 20, mcpServers: [server("a")] },
    by: "configuration file",
  });
  assert.equal(config.current().listen, ":9");
});

test("a later replica takes the shared keys from the others and its own keys from its file, and says so", async (t) => {
  const { shared } = memoryShared({
    version: 4,
    document: { routing_mode: "direct", listen: ":1", mcpServers: [server("a")] },
    by: "x",
  });
  const { config, log } = await opened(t, file({ listen: ":9", tools_limit: 20, mcpServers: [server("b")] }));

  await config.share(shared);

  const { listen, tools_limit, routing_mode, mcpServers } = config.current();
  assert.deepEqual([listen, tools_limit, routing_mode], [":9", 15, "direct"]);
  assert.deepEqual(
    mcpServers.map(({ name }) => name),
    ["a"],
  );
  assert.deepEqual(config.pendingRestart(), []);
  assert.equal(config.revision(), "v4");
  assert.ok(log.lines.some((line) => /tools_limit, mcpServers have no effect/.test(JSON.stringify(line))));
});

test("a change of one replica is in force at the other, and both keep their own keys", async (t) => {
  const { shared } = memoryShared();
  const a = await opened(t, file({ listen: ":1" }));
  const b = await opened(t, file({ listen: ":2" }));
  await a.config.share(shared);
  await b.config.share(shared);
  const seen: string[] = [];
  b.config.onChange((next) => seen.push(next.mcpServers.map(({ name }) => name).join()));

  await a.config.update((draft) => void draft.mcpServers.push({ ...draft.mcpServers[0]!, ...server("new") }), "admin");
  await settled();

  assert.deepEqual(seen, ["new"]);
  assert.deepEqual([a.config.current().listen, b.config.current().listen], [":1", ":2"]);
  assert.equal(a.config.revision(), b.config.revision());
  assert.equal(b.read(), file({ listen: ":2" }), "the file of the other replica stays as it is");
  const [newest] = await b.config.history.list();
  assert.equal(newest?.by, "admin");
});

test("two replicas change the configuration at once, and neither change is lost", async (t) => {
  const { shared } = memoryShared();
  const both = await Promise.all([":1", ":2"].map((listen) => opened(t, file({ listen }))));
  for (const { config } of both) await config.share(shared);

  await Promise.all(
    both.flatMap(({ config }, index) =>
      [1, 2, 3].map((n) =>
        config.update((draft) => void draft.mcpServers.push(server(`${index}-${n}`) as never), "test"),
      ),
    ),
  );
  await settled();

  for (const { config } of both) {
    assert.equal(config.current().mcpServers.length, 6);
    // Its versions are written in the background.
    await config.history.list();
  }
});

test("a change of a replica's own key is written to its file alone", async (t) => {
  const { shared, newest } = memoryShared();
  const { config, read } = await opened(t, file({ tools_limit: 20 }));
  await config.share(shared);

  await config.update((draft) => Object.assign(draft, { logging: { level: "debug" } }), "test");

  assert.equal(newest()?.version, 1);
  assert.deepEqual(JSON.parse(read()), { tools_limit: 20, api_key: "k", logging: { level: "debug" } });
  assert.equal(config.current().logging.level, "debug");
});

test("an edit of the file changes the replica's own keys and no shared key", async (t) => {
  const { shared } = memoryShared();
  const { config, clock, path } = await opened(t, file({ tools_limit: 20 }));
  await config.share(shared);
  const { writeFileSync } = await import("node:fs");

  writeFileSync(path, file({ tools_limit: 99, logging: { level: "warn" } }));
  await config.update(() => {}, "test");
  clock.advance(1000);

  assert.deepEqual([config.current().tools_limit, config.current().logging.level], [20, "warn"]);
});

test("a version that is not valid here is rejected and reported; a later one is adopted", async (t) => {
  const { shared, put } = memoryShared();
  const { config } = await opened(t, file({ tools_limit: 20 }));
  await config.share(shared);

  put({ tools_limit: "many" }, "a newer release");
  await settled();
  assert.match(config.problem() ?? "", /not valid for this version: tools_limit/);
  assert.equal(config.current().tools_limit, 20);

  put({ tools_limit: 30 }, "admin");
  await settled();
  assert.equal(config.problem(), undefined);
  assert.equal(config.current().tools_limit, 30);
});

test("a replica does not start with a shared configuration that is not valid for it", async (t) => {
  const { shared } = memoryShared({ version: 1, document: { tools_limit: "many" }, by: "x" });
  const { config } = await opened(t, file({}));

  await assert.rejects(config.share(shared), { code: "config_invalid", message: /update this replica/ });
});
