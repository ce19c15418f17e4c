import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { unwritableFault } from "#lib/core/config/update.ts";
import { opened } from "./opened.ts";
import "#lib/modules/config.gen.ts";

const FILE = `{
  "api_key": "k",
  "custom": {
    "keep": [1, 2]
  },
  "tools_limit": 20,
  "mcpServers": [
    {
      "name": "a",
      "x-note": "keep",
      "command": "x"
    }
  ]
}
`;

test("a change is on the disk, in force and published when it is answered", async (t) => {
  const { config, path, read, events } = await opened(t, FILE);
  const seen: number[][] = [];
  config.onChange((next, previous) => seen.push([previous.tools_limit, next.tools_limit]));

  const answer = await config.update((d) => Object.assign(d, { tools_limit: 30 }), "a test");

  assert.equal(read(), FILE.replace("[1, 2]", "[\n      1,\n      2\n    ]").replace("20", "30"));
  assert.equal(answer, config.current());
  assert.equal(config.current().tools_limit, 30);
  assert.deepEqual(seen, [[20, 30]]);
  assert.deepEqual(
    events.map((e) => [e.kind, e.data]),
    [
      ["config.saved", { path, by: "a test" }],
      ["config.reloaded", { path, cause: "saved" }],
    ],
  );
});

test("environment and flags are never written, nor seen by the change", async (t) => {
  const { config, read } = await opened(t, FILE, { env: { SERVICE_TOOLS_LIMIT: "5" }, flags: { listen: ":9" } });

  await config.update((d) => {
    assert.deepEqual([d.tools_limit, d.listen], [20, "127.0.0.1:8080"]);
    d.mcpServers[0]!.enabled = false;
  }, "test");

  assert.deepEqual([config.current().tools_limit, config.current().listen], [5, ":9"]);
  assert.ok(read().includes('"tools_limit": 20') && !read().includes("listen"));
});

test("a change to something wrong is refused with its key, and nothing happens", async (t) => {
  const { config, read, events } = await opened(t, FILE);
  const before = config.current();
  const rows: [change: Parameters<typeof config.update>[0], message: string][] = [
    [
      (d) => Object.assign(d.mcpServers[0]!, { init_timeout: "1ms" }),
      "mcpServers[0].init_timeout: must be 0 or 1s to 30m",
    ],
    [
      (d) => d.mcpServers.push({ name: "a", command: "y", enabled: true }),
      'mcpServers[1].name: "a" is already the name of mcpServers[0]',
    ],
    [(d) => d.trusted_proxies.push("x"), 'trusted_proxies[0] "x" is not a valid CIDR or IP address'],
    [
      (d) => Object.assign(d, { tools_limit: 0, listen: "x" }),
      'tools_limit: must be a whole number from 1 to 1000; listen: must be "host:port" or ":port"',
    ],
  ];
  for (const [change, message] of rows)
    await assert.rejects(config.update(change, "test"), (error: Error & { code: string }) => {
      assert.equal(error.code, "config_invalid");
      assert.deepEqual(error.message.split("; ").sort(), message.split("; ").sort());
      return true;
    });
  await assert.rejects(
    config.update(() => {
      throw new Error("changed my mind");
    }, "test"),
    { message: "changed my mind" },
  );

  assert.equal(read(), FILE);
  assert.equal(config.current(), before);
  assert.deepEqual(events, []);
});

test("a change that changes nothing writes and publishes nothing", async (t) => {
  const { config, read, events } = await opened(t, FILE);

  await config.update((d) => Object.assign(d, { tools_limit: 20 }), "test");

  assert.equal(read(), FILE);
  assert.deepEqual(events, []);
});

test("changes made at once all happen, one after the other", async (t) => {
  const { config, read } = await opened(t, FILE);

  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      config.update((d) => {
        d.tools_limit += 1;
        d.mcpServers.push({ name: `s${n}`, command: "x", enabled: true });
      }, "test"),
    ),
  );

  assert.equal(config.current().tools_limit, 40);
  assert.deepEqual(JSON.parse(read()), {
    ...JSON.parse(FILE),
    tools_limit: 40,
    mcpServers: [
      ...JSON.parse(FILE).mcpServers,
      ...Array.from({ length: 20 }, (_, n) => ({ name: `s${n}`, command: "x", enabled: true })),
    ],
  });
  assert.equal(config.server("s19")?.command, "x");
});

test("an edit by hand that was not noticed yet is taken over, not overwritten", async (t) => {
  const { config, path, read, events } = await opened(t, FILE);
  writeFileSync(path, FILE.replace('"x-note": "keep"', '"x-note": "by hand"'));

  await config.update((d) => Object.assign(d, { tools_limit: 30 }), "test");

  assert.ok(read().includes("by hand") && read().includes('"tools_limit": 30'));
  assert.deepEqual(
    events.map((e) => e.kind),
    ["config.reloaded", "config.saved", "config.reloaded"],
  );
});

test("a broken edit by hand is not overwritten: the change is refused until it is mended", async (t) => {
  const { config, path, read } = await opened(t, FILE);
  writeFileSync(path, FILE.replace("20,", "20"));

  await assert.rejects(
    config.update((d) => Object.assign(d, { tools_limit: 30 }), "test"),
    (error: Error & { code: string }) => {
      assert.equal(error.code, "config_broken");
      assert.match(error.message, /correct it, or replace it with: .*mcp_config\.json:7:3: /);
      return true;
    },
  );
  assert.equal(read(), FILE.replace("20,", "20"));
  assert.equal(config.current().tools_limit, 20);

  writeFileSync(path, FILE);
  await config.update((d) => Object.assign(d, { tools_limit: 30 }), "test");
  assert.equal(config.current().tools_limit, 30);
});

test("a file that was removed is written again", async (t) => {
  const { config, path, read } = await opened(t, FILE);
  rmSync(path);

  await config.update(() => undefined, "test");

  assert.deepEqual(JSON.parse(read()), JSON.parse(FILE));
});

test("a disk that refuses leaves the settings as they were", async (t) => {
  const { config, dir } = await opened(t, FILE);
  rmSync(dir, { recursive: true });

  await assert.rejects(
    config.update((d) => Object.assign(d, { tools_limit: 30 }), "test"),
    { code: "config_unwritable", message: /mcp_config\.json cannot be written: ENOENT/ },
  );

  assert.equal(config.current().tools_limit, 20);
});

test("a target that cannot be replaced is told of, and settings stay", async (t) => {
  const { config, path, dir } = await opened(t, FILE);
  rmSync(path);
  mkdirSync(path);
  writeFileSync(join(path, "x"), "");

  await assert.rejects(
    config.update((d) => Object.assign(d, { tools_limit: 30 }), "test"),
    /mcp_config\.json/,
  );

  assert.equal(config.current().tools_limit, 20);
  assert.deepEqual(readdirSync(dir), ["mcp_config.json"]);
});

test("a listener that throws disturbs nobody", async (t) => {
  const { config, log } = await opened(t, FILE);
  const seen: string[] = [];
  config.onChange(() => {
    throw new Error("clumsy");
  });
  const stop = config.onChange(() => seen.push("heard"));

  await config.update((d) => Object.assign(d, { tools_limit: 30 }), "test");
  stop();
  await config.update((d) => Object.assign(d, { tools_limit: 31 }), "test");

  assert.deepEqual(seen, ["heard"]);
  assert.ok(log.lines.some((line) => line.includes("clumsy")));
});

test("restart-gated changes are kept and reported, and clear when changed back (spec 000 §2.7)", async (t) => {
  const { config, read } = await opened(t, FILE);

  await config.update((d) => Object.assign(d, { routing_mode: "direct" }), "test");
  assert.deepEqual(config.pendingRestart(), ["routing_mode"]);
  assert.deepEqual([config.current().routing_mode, config.wanted().routing_mode], ["retrieve_tools", "direct"]);
  assert.ok(read().includes('"routing_mode": "direct"'));

  await config.update((d) => Object.assign(d, { tools_limit: 30 }), "test");
  assert.deepEqual([config.current().tools_limit, config.pendingRestart()], [30, ["routing_mode"]]);

  await config.update((d) => Object.assign(d, { routing_mode: "retrieve_tools" }), "test");
  assert.deepEqual(config.pendingRestart(), []);
});

test("where the system denies writing, it is said what to do", () => {
  for (const [code, helps] of [
    ["EACCES", true],
    ["EROFS", true],
    ["ENOSPC", false],
  ] as const)
    assert.equal(
      unwritableFault("/x", Object.assign(new Error(code), { code })).message.includes("--data-dir"),
      helps,
      code,
    );
});
