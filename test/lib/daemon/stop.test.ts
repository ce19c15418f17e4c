import assert from "node:assert/strict";
import { test } from "node:test";
import { router } from "#handlers/router.ts";
import { listen } from "#lib/daemon/listen.ts";
import { stop } from "#lib/daemon/stop.ts";
import { testApp } from "#test/kit/app.ts";

test("a stop ends doors, sessions and state in order, and leaves the directory free", async () => {
  const app = await testApp({ connect: false });
  const handlers = router(app);
  const listeners = await listen(app, handlers);
  const events: string[] = [];
  app.events.subscribe(({ kind }) => events.push(kind));
  const order: string[] = [];
  const noted = <T extends object>(what: string, target: T, method: keyof T) => {
    const real = target[method] as () => Promise<void>;
    (target as Record<keyof T, unknown>)[method] = async (...args: unknown[]) => {
      order.push(what);
      await real.apply(target, args as []);
    };
    return target;
  };

  await stop(
    {
      app: noted("app", app, "close"),
      router: noted("router", handlers, "close"),
      listeners: noted("listeners", noted("drain", listeners, "drain"), "close"),
    },
    "test",
  );

  assert.deepEqual(order, ["drain", "router", "listeners", "app"]);
  assert.deepEqual(events, ["activity.system.stop"]);
});
