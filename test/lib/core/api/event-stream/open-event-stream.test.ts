import assert from "node:assert/strict";
import { test } from "node:test";
import { eventStreams, openEventStream } from "#lib/core/api/event-stream/open-event-stream.ts";
import { MAX_KEPT_EVENTS } from "#lib/core/events/event-bus.ts";
import type { Caller } from "#lib/core/schema/caller.ts";
import { removeToken } from "#lib/core/verbs/tokens/remove.ts";
import { revokeToken } from "#lib/core/verbs/tokens/revoke.ts";
import { verifyToken } from "#lib/core/verbs/tokens/verify.ts";
import { admin } from "#test/kit/actor.ts";
import { type TestApp, type TestOptions, withApp } from "#test/kit/app.ts";
import { type HandClock, handClock } from "#test/kit/clock.ts";
import { eventFrames, type Frame } from "#test/kit/frames.ts";
import { issue } from "#test/kit/token.ts";
import { verifies } from "#test/kit/verifies.ts";

const SERVERS: TestOptions = {
  connect: false,
  servers: [
    { name: "git", command: "x", env: { TOKEN: "s3cretvalue-1234" } },
    { name: "web", url: "https://h.example/mcp", headers: { Authorization: "Bearer s3cretvalue-5678" } },
  ],
};

/** An agent with a token for one server. */
async function bot(app: TestApp): Promise<Caller> {
  const caller = verifyToken(app, await issue(app, { name: "bot", allowed_servers: ["git"], expires_in: "1m" }));
  assert.ok(typeof caller === "object");
  return caller;
}

interface Read {
  app: TestApp;
  clock: HandClock;
  /** What came since the last look. */
  came(): Promise<Frame[]>;
}

/** Reads a stream as fast as it comes; the stream's beginning is already read. */
async function reading(options: TestOptions & { as?: "agent" }, fn: (read: Read) => Promise<void>): Promise<void> {
  const clock = handClock();
  await withApp({ ...SERVERS, clock, ...options }, async (app) => {
    const feed = openEventStream(app, options.as ? await bot(app) : admin.caller);
    let text = "";
    const pump = (async () => {
      for (let piece = await feed.next(); piece !== undefined; piece = await feed.next()) text += piece;
    })();
    const came = async () => {
      await clock.advance(0);
      const all = eventFrames(text);
      text = "";
      return all;
    };
    await came();
    try {
      await fn({ app, clock, came });
    } finally {
      feed.close();
      await pump;
    }
  });
}

const call = { server_name: "git", tool_name: "log", request_id: "r1", source: "mcp" };
const kinds = (all: Frame[]) => all.map((f) => f.event);

test("a stream opens with a comment, the time to come back after, and the running state", async () => {
  const clock = handClock(1_700_000_000_500);
  await withApp({ ...SERVERS, clock }, async (app) => {
    const feed = openEventStream(app, await bot(app));

    const first = await feed.next();

    const [opening, status] = eventFrames(first ?? "");
    assert.equal(first?.startsWith(": connected\nretry: 5000\n\nid: "), true);
    assert.deepEqual(opening, { comments: ["connected"], retry: "5000" });
    assert.equal(status?.event, "status");
    const { running, status: word, version, timestamp, upstream_stats } = status?.data ?? {};
    assert.deepEqual([running, word, version, timestamp], [true, "running", "0.0.0-test", 1_700_000_000]);
    assert.deepEqual(Object.keys(upstream_stats.servers), ["git"]);
    feed.close();
  });
});

verifies(
  ["rest.events.admin", "rest.events.call-started", "rest.events.call-completed", "rest.events.policy-decision"],
  "events come as they were published, in order, each with a growing id",
  () =>
    reading({}, async ({ app, came, clock }) => {
      const ended = { ...call, status: "success", duration_ms: 3, id: "a" };
      const blocked = { ...call, decision: "blocked", reason: "tool_changed", id: "b" } as const;
      app.events.publish("activity.tool_call.started", call);
      app.events.publish("activity.tool_call.completed", ended);
      app.events.publish("activity.policy_decision", blocked);

      const all = await came();

      const at = new Date(clock.now()).toISOString();
      const timestamp = Math.floor(clock.now() / 1000);
      assert.deepEqual(
        all.map((f) => [f.event, f.data]),
        [
          ["activity.tool_call.started", { payload: call, timestamp, at }],
          ["activity.tool_call.completed", { payload: ended, timestamp, at }],
          ["activity.policy_decision", { payload: blocked, timestamp, at }],
        ],
      );
      const numbers = all.map((f) => Number(f.id?.split("-")[1]));
      assert.deepEqual(numbers, [numbers[0], numbers[0]! + 1, numbers[0]! + 2]);
    }),
);

verifies(
  ["rest.events.servers-changed", "rest.redact.one-rule-set"],
  "a burst of changes of servers is one frame: the list of that moment, masked, with the last reason",
  () =>
    reading({}, async ({ app, clock, came }) => {
      app.events.publish("servers.changed", { server: "git", reason: "server_connecting" });
      await clock.advance(30);
      app.events.publish("servers.changed", { server: "web", reason: "server_connected" });
      assert.deepEqual(await came(), []);
      await clock.advance(30);

      const [frame, ...more] = await came();

      assert.deepEqual([frame?.event, more.length], ["servers.changed", 0]);
      const { payload } = frame?.data ?? {};
      assert.deepEqual([payload.reason, payload.server], ["server_connected", "web"]);
      assert.deepEqual(
        payload.servers.map((s: { name: string }) => s.name),
        ["git", "web"],
      );
      assert.equal(payload.stats.total_servers, 2);
      assert.match(JSON.stringify(payload), /••••34 \(16 chars\)/);
      assert.ok(!JSON.stringify(payload).includes("s3cretvalue"));
    }),
);

verifies("rest.events.tools-indexed", "indexed and decided tools move the list too, since they are counted in it", () =>
  reading({}, async ({ app, clock, came }) => {
    const inputSchema = { type: "object" };
    await app.catalog.acceptListing("git", [{ name: "log", inputSchema }]);
    await clock.advance(50);
    app.events.publish("tools.changed", { server: "git" });
    await clock.advance(50);

    const all = await came();

    assert.deepEqual(kinds(all), ["tools.indexed", "servers.changed", "tools.changed", "servers.changed"]);
    assert.deepEqual(
      [all[1], all[3]].map((f) => f?.data.payload.reason),
      ["tools_indexed", "tools_changed"],
    );
    const { server, total, added } = all[0]?.data.payload ?? {};
    assert.deepEqual([server, total, added], ["git", 1, 1]);
    assert.equal(all[1]?.data.payload.servers[0].tool_count, 1);
  }),
);

verifies("rest.events.config-reloaded", "a change of the configuration is told when it is saved and in force", () =>
  reading({}, async ({ app, clock, came }) => {
    await app.config.update((draft) => Object.assign(draft, { tools_limit: 7 }), "somebody");
    await clock.advance(50);

    assert.deepEqual(
      (await came()).map((f) => [f.event, f.data.payload]),
      [
        ["config.saved", { path: app.config.path, by: "somebody" }],
        ["config.reloaded", { path: app.config.path, reason: "saved" }],
      ],
    );
  }),
);

verifies(
  ["rest.events.admin-notify", "rest.redact.reveal-never", "rest.redact.reveal-notify"],
  "an administrator who may read real values is only notified; nobody gets them by the stream",
  async () => {
    const config = { reveal_secret_headers: true };
    await reading({ config }, async ({ app, clock, came }) => {
      app.events.publish("servers.changed", { server: "git", reason: "server_connected" });
      await clock.advance(50);
      assert.deepEqual((await came())[0]?.data.payload, { server: "git", reason: "server_connected" });
    });
    await reading({ config, as: "agent" }, async ({ app, clock, came }) => {
      app.events.publish("servers.changed", { server: "git", reason: "server_connected" });
      await clock.advance(50);
      const text = JSON.stringify(await came());
      assert.ok(text.includes("••••") && !text.includes("s3cretvalue"));
    });
  },
);

verifies(
  ["rest.events.scoped-servers", "rest.events.scoped-drop"],
  "a scoped reader hears of its servers only, with their own counts",
  () =>
    reading({ as: "agent" }, async ({ app, clock, came }) => {
      app.events.publish("servers.changed", { server: "web", reason: "server_connected" });
      app.events.publish("activity.tool_call.started", { ...call, server_name: "web" });
      app.events.publish("config.saved", { path: "/x", by: "admin" });
      await clock.advance(50);

      const [frame, ...more] = await came();

      assert.equal(more.length, 0);
      const { reason, server, servers, stats } = frame?.data.payload ?? {};
      assert.deepEqual([reason, server], ["server_connected", undefined]);
      assert.deepEqual(
        servers.map((s: { name: string }) => s.name),
        ["git"],
      );
      assert.equal(stats.total_servers, 1);
      assert.ok(!JSON.stringify(frame).includes("web"));
    }),
);

test("a quiet stream beats every 30 seconds, as a comment and as an event", () =>
  reading({}, async ({ clock, came }) => {
    await clock.advance(29_000);
    assert.deepEqual(await came(), []);
    await clock.advance(1000);
    const [beat] = await came();
    assert.deepEqual([beat?.comments, beat?.event], [["alive"], "ping"]);
    assert.deepEqual(beat?.data, { timestamp: Math.floor(clock.now() / 1000) });
  }));

test("a returning reader gets what it missed, and the list of servers as it is", async () => {
  const clock = handClock();
  await withApp({ ...SERVERS, clock }, async (app) => {
    const before = openEventStream(app, admin.caller);
    const [, hello] = eventFrames((await before.next()) ?? "");
    before.close();
    app.events.publish("servers.changed", { server: "git", reason: "server_connected" });
    app.events.publish("activity.tool_call.started", call);
    app.events.publish("config.saved", { path: "/x", by: "admin" });

    const back = openEventStream(app, admin.caller, { lastEventId: hello?.id });
    const first = eventFrames((await back.next()) ?? "");
    await clock.advance(50);
    const second = eventFrames((await back.next()) ?? "");

    assert.deepEqual(kinds(first).slice(1), ["status", "activity.tool_call.started", "config.saved"]);
    assert.deepEqual([kinds(second), second[0]?.data.payload.reason], [["servers.changed"], "server_connected"]);
    back.close();

    const again = openEventStream(app, admin.caller, { lastEventId: second[0]?.id });
    assert.deepEqual(kinds(eventFrames((await again.next()) ?? "")).slice(1), ["status"]);
    await clock.advance(50);
    assert.equal(eventFrames((await again.next()) ?? "")[0]?.data.payload.reason, "resumed");
    again.close();
  });
});

test("a place that is not known, or no longer kept, is told as a gap", async () => {
  const clock = handClock();
  await withApp({ ...SERVERS, clock }, async (app) => {
    const unknown = openEventStream(app, admin.caller, { lastEventId: "elsewhere-7" });
    const told = eventFrames((await unknown.next()) ?? "");
    assert.deepEqual(kinds(told).slice(1), ["status", "gap"]);
    assert.deepEqual(told[2]?.data.payload, { reason: "unknown_id" });
    unknown.close();

    const slow = openEventStream(app, admin.caller);
    await slow.next();
    const from = app.events.last;
    for (let i = 0; i < MAX_KEPT_EVENTS + 10; i++) app.events.publish("activity.tool_call.started", call);
    let text = "";
    while (!text.includes(`-${app.events.last}\n`)) text += await slow.next();
    const all = eventFrames(text);
    assert.deepEqual([all[0]?.event, all[0]?.data.payload], ["gap", { reason: "expired", lost: 10 }]);
    assert.equal(all.length, 1 + MAX_KEPT_EVENTS);
    assert.equal(Number(all[1]?.id?.split("-")[1]), from + 11);
    await clock.advance(50);
    assert.deepEqual(kinds(eventFrames((await slow.next()) ?? "")), ["servers.changed"]);
    slow.close();
  });
});

test("what waits for a slow reader is one frame of servers, however often they change", async () => {
  const clock = handClock();
  await withApp({ ...SERVERS, clock }, async (app) => {
    const slow = openEventStream(app, admin.caller);
    await slow.next();
    for (let i = 0; i < 100; i++) {
      app.events.publish("servers.changed", { server: "git", reason: i < 99 ? "server_error" : "tools_listed" });
      await clock.advance(100);
    }
    const pending = slow.next();
    await clock.advance(100);

    const all = eventFrames((await pending) ?? "");

    assert.deepEqual([kinds(all), all[0]?.data.payload.reason], [["servers.changed"], "tools_listed"]);
    slow.close();
  });
});

test("a stream ends with the program, after what was gathered", () =>
  withApp({ ...SERVERS, clock: handClock() }, async (app) => {
    const feed = openEventStream(app, admin.caller);
    await feed.next();
    app.events.publish("servers.changed", { server: "git", reason: "server_connected" });
    app.events.publish("activity.system.stop", { reason: "SIGTERM", uptime_seconds: 4 });

    const last = eventFrames((await feed.next()) ?? "");

    assert.deepEqual(kinds(last), ["servers.changed", "activity.system.stop"]);
    assert.equal(await feed.next(), undefined);
    assert.equal(app.part(eventStreams).slots.taken, 0);
  }));

test("an agent token can open so many streams that others, administrators among them, still get theirs", () =>
  withApp(SERVERS, async (app) => {
    const { slots, byHolder } = app.part(eventStreams);
    const agent = await bot(app);
    const open: { close(): void }[] = [];

    assert.throws(
      () => {
        for (let n = 0; n < slots.limit; n++) open.push(openEventStream(app, agent));
      },
      { code: "too_many_streams" },
    );
    open.push(openEventStream(app, admin.caller));

    open.shift()!.close();
    open.push(openEventStream(app, agent));
    for (const feed of open) feed.close();
    assert.deepEqual([slots.taken, byHolder.size], [0, 0]);
  }));

test("all agent tokens together leave streams for administrators", () =>
  withApp(SERVERS, async (app) => {
    const { slots, others } = app.part(eventStreams);
    const agent = await bot(app);
    const open = Array.from({ length: others.limit }, (_, n) =>
      openEventStream(app, { ...agent, name: `bot-${n % 10}` }),
    );

    assert.throws(() => openEventStream(app, { ...agent, name: "another" }), { code: "too_many_streams" });
    while (slots.taken < slots.limit) open.push(openEventStream(app, admin.caller));
    assert.equal(open.length - others.limit, 20);

    for (const feed of open) feed.close();
    assert.deepEqual([slots.taken, others.taken], [0, 0]);
  }));

test("so many streams are open and no more; each gives its place back once", () =>
  withApp({ connect: false }, async (app) => {
    const open = Array.from({ length: app.part(eventStreams).slots.limit }, () => openEventStream(app, admin.caller));
    assert.throws(() => openEventStream(app, admin.caller), { code: "too_many_streams" });

    const waiting = open[0]!;
    await waiting.next();
    const next = waiting.next();
    waiting.close();
    assert.equal(await next, undefined);
    openEventStream(app, admin.caller).close();

    for (const feed of open) feed.close();
    assert.equal(app.part(eventStreams).slots.taken, 0);
  }));

test("a stream ends with its token, revoked or expired", async () => {
  const clock = handClock();
  await withApp({ ...SERVERS, clock }, async (app) => {
    for (const end of [
      () => revokeToken(app, "bot", admin),
      () => removeToken(app, "bot", admin),
      () => clock.advance(90_000),
    ]) {
      const feed = openEventStream(app, await bot(app));
      await feed.next();
      app.events.publish("activity.tool_call.started", call);
      assert.match((await feed.next()) ?? "", /tool_call.started/);
      const next = feed.next();

      await end();

      let last = await next;
      while (last?.startsWith(": alive")) last = await feed.next();
      assert.equal(last, undefined, String(end));
      await removeToken(app, "bot", admin).catch(() => undefined);
    }
    assert.equal(app.part(eventStreams).slots.taken, 0);
  });
});

test("a token's profile narrows its open stream as soon as it is changed", async () => {
  const clock = handClock();
  const config = { profiles: [{ name: "work", servers: ["git", "web"] }] };
  await withApp({ ...SERVERS, clock, config }, async (app) => {
    const caller = verifyToken(app, await issue(app, { name: "bot", profile_pin: "work" }));
    const feed = openEventStream(app, caller as Caller);
    await feed.next();

    await app.config.update((draft) => {
      draft.profiles = [{ name: "work", servers: ["git"] }];
    }, "test");
    app.events.publish("activity.tool_call.started", { ...call, server_name: "web" });
    app.events.publish("activity.tool_call.started", call);

    assert.deepEqual(
      eventFrames((await feed.next()) ?? "").map((f) => f.data.payload.server_name),
      ["git"],
    );
    feed.close();
  });
});

/** The frames of a reader that asked for the records of changed servers only. */
const following = async (fn: (app: TestApp, next: () => Promise<ReturnType<typeof eventFrames>>) => Promise<void>) => {
  const clock = handClock();
  await withApp({ ...SERVERS, clock }, async (app) => {
    const feed = openEventStream(app, admin.caller, { servers: "changed" });
    await feed.next();
    await fn(app, async () => {
      const coming = feed.next();
      await clock.advance(60);
      return eventFrames((await coming) ?? "");
    });
    feed.close();
  });
};

test("a reader that asks for it gets the records of the servers that changed, not the whole list", () =>
  following(async (app, next) => {
    app.events.publish("servers.changed", { server: "web", reason: "server_connecting" });
    app.events.publish("servers.changed", { server: "gone", reason: "server_removed" });
    app.events.publish("servers.changed", { server: "web", reason: "server_connected" });

    const [frame] = await next();

    const { payload } = frame?.data ?? {};
    assert.deepEqual(
      payload.servers.map((s: { name: string }) => s.name),
      ["web"],
    );
    assert.deepEqual(payload.removed, ["gone"]);
    assert.deepEqual(payload.changes, [
      { server: "gone", reason: "server_removed" },
      { server: "web", reason: "server_connected" },
    ]);
    assert.equal(payload.stats, undefined);
  }));

test("where nobody knows which server changed, the whole list is told", () =>
  following(async (app, next) => {
    for (let i = 0; i < 201; i++) app.events.publish("servers.changed", { server: `s${i}`, reason: "server_error" });

    const [frame] = await next();

    assert.equal(frame?.data.payload.servers.length, 2);
    assert.equal(frame?.data.payload.stats.total_servers, 2);
  }));

test("a server that flaps does not send a large list each time: lists wait in proportion to their size", async () => {
  const clock = handClock();
  const servers = Array.from({ length: 300 }, (_, i) => ({ name: `server-${i}`, command: "x", enabled: false }));
  await withApp({ connect: false, clock, servers }, async (app) => {
    const feed = openEventStream(app, admin.caller);
    await feed.next();
    let lists = 0;
    const read = async () => {
      for (let text = await feed.next(); text !== undefined; text = await feed.next())
        lists += text.split("event: servers.changed").length - 1;
    };
    const done = read();
    for (let i = 0; i < 100; i++) {
      app.events.publish("servers.changed", { server: "server-1", reason: "server_error" });
      await clock.advance(100);
    }

    assert.ok(lists >= 2 && lists <= 10, `${lists} lists within ten seconds`);
    feed.close();
    await done;
  });
});

test("a filter leaves what a reader wants, live and replayed; status, ping and gap always come", async () => {
  const clock = handClock();
  await withApp({ ...SERVERS, clock }, async (app) => {
    const publish = () => {
      app.events.publish("activity.tool_call.started", call);
      app.events.publish("activity.tool_call.started", { ...call, server_name: "web" });
      app.events.publish("activity.policy_decision", { ...call, decision: "blocked", reason: "x", id: "b" });
      app.events.publish("config.saved", { path: "p", by: "admin" });
      app.events.publish("tools.changed", { server: "git" });
      app.events.publish("servers.changed", { server: "web", reason: "server_connected" });
    };
    const told = async (options: Parameters<typeof openEventStream>[2]) => {
      const feed = openEventStream(app, admin.caller, options);
      let text = "";
      const pump = (async () => {
        for (let piece = await feed.next(); piece !== undefined; piece = await feed.next()) text += piece;
      })();
      publish();
      await clock.advance(6000);
      feed.close();
      await pump;
      return eventFrames(text).filter(({ event }) => event !== undefined);
    };
    const first = await told({});
    assert.deepEqual(kinds(first), [
      "status",
      "activity.tool_call.started",
      "activity.tool_call.started",
      "activity.policy_decision",
      "config.saved",
      "tools.changed",
      "servers.changed",
    ]);
    const rows: [Parameters<typeof openEventStream>[2], string[]][] = [
      [{ filter: { types: ["config"] } }, ["status", "config.saved"]],
      [
        { filter: { types: ["activity.policy_decision", "tools"] } },
        ["status", "activity.policy_decision", "tools.changed"],
      ],
      [{ filter: { types: ["servers"] } }, ["status", "servers.changed"]],
      [{ filter: { types: ["activity"], server: "web" } }, ["status", "activity.tool_call.started"]],
      [
        { filter: { server: "git" } },
        ["status", "activity.tool_call.started", "activity.policy_decision", "tools.changed", "servers.changed"],
      ],
      [{ filter: { server: "nope" } }, ["status"]],
      [{ lastEventId: "x-1", filter: { types: ["config"] } }, ["status", "gap", "config.saved"]],
    ];
    for (const [options, wanted] of rows) assert.deepEqual(kinds(await told(options)), wanted, JSON.stringify(options));

    const [, , , , changed] = await told({ filter: { server: "git" } });
    assert.deepEqual(
      changed?.data.payload.servers.map((s: { name: string }) => s.name),
      ["git"],
    );
    const replayed = await told({ lastEventId: first[0]!.id, filter: { types: ["config"] } });
    assert.ok(kinds(replayed).filter((kind) => kind === "config.saved").length > 2);
    assert.ok(kinds(replayed).every((kind) => kind === "config.saved" || kind === "status"));
  });
});

test("a filter shows an agent nothing that it would not hear without one", () =>
  withApp({ ...SERVERS, clock: handClock() }, async (app) => {
    const clock = app.clock as HandClock;
    const feed = openEventStream(app, await bot(app), { filter: { server: "web" } });
    let text = "";
    const pump = (async () => {
      for (let piece = await feed.next(); piece !== undefined; piece = await feed.next()) text += piece;
    })();
    app.events.publish("activity.tool_call.started", { ...call, server_name: "web" });
    app.events.publish("servers.changed", { server: "web", reason: "server_connected" });
    await clock.advance(6000);
    feed.close();
    await pump;
    const named = eventFrames(text).slice(1);
    assert.ok(
      named.every(
        ({ event, data }) => event === "status" || (event === "servers.changed" && data.payload.servers.length === 0),
      ),
      JSON.stringify(named),
    );
    assert.doesNotMatch(JSON.stringify(named), /"web"/);
  }));
