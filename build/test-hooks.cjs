// @ts-check
/**
 * Loaded before Node's test runner (`node --require`). The runner remembers which test created each asynchronous resource,
 * to name the test of a late error, and forgets a resource when it is destroyed. To be notified of every promise and its
 * end slows the garbage collector and each `await`.
 *
 * A Node that can leave out promises remembers the test in an `AsyncLocalStorage`, and the runner learns when an error
 * occurs. An older one forgets the oldest resources instead of the destroyed ones.
 */
const asyncHooks = require("node:async_hooks");

const { AsyncLocalStorage, createHook, executionAsyncId } = asyncHooks;

/** The number of resources that the runner remembers in an older Node, which numbers them serially. */
const REMEMBERED = 1_000_000;

asyncHooks.createHook = (callbacks) => {
  const isRunner = new Error().stack?.includes("node:internal/test_runner");
  if (!isRunner || !callbacks.init || !callbacks.destroy) return createHook(callbacks);
  return canLeaveOutPromises() ? namedOnError(callbacks) : withoutDestroy(callbacks);
};

/** @param {asyncHooks.HookCallbacks} callbacks of the runner */
function withoutDestroy({ init, destroy }) {
  return createHook({
    init(asyncId, type, triggerAsyncId, resource) {
      init?.(asyncId, type, triggerAsyncId, resource);
      destroy?.(asyncId - REMEMBERED);
    },
  });
}

/** @param {asyncHooks.HookCallbacks} callbacks of the runner */
function namedOnError({ init, destroy }) {
  /** The id of the resource that is the running test. @type {AsyncLocalStorage<number>} */
  const running = new AsyncLocalStorage();
  /** Tells the runner that what runs now, and has failed, was created by its test. */
  const attribute = () => {
    const test = running.getStore();
    if (test === undefined) destroy?.(executionAsyncId());
    else init?.(executionAsyncId(), "failed", test, {});
  };
  process.on("uncaughtExceptionMonitor", attribute);
  process.on("unhandledRejection", (reason) => {
    // The runner has ended; nobody else must think that the error is handled.
    if (process.listenerCount("unhandledRejection") === 1) throw reason;
    attribute();
  });
  return createHook({
    ...NO_PROMISES,
    init(asyncId, type, triggerAsyncId, resource) {
      if (type !== "Test") return;
      init?.(asyncId, type, triggerAsyncId, resource);
      const { runInAsyncScope } = asyncHooks.AsyncResource.prototype;
      Object.assign(resource, {
        /** @param {(...args: any[]) => unknown} fn @param {unknown} thisArg @param {unknown[]} args */
        runInAsyncScope: (fn, thisArg, ...args) =>
          runInAsyncScope.call(resource, () => running.run(asyncId, () => fn.apply(thisArg, args))),
      });
    },
  });
}

/** Since Node 24.12. */
const NO_PROMISES = { trackPromises: false };

/** An older Node ignores the option. */
function canLeaveOutPromises() {
  let isCalled = false;
  const hook = createHook({
    ...NO_PROMISES,
    init: (_, type) => {
      isCalled ||= type === "PROMISE";
    },
  }).enable();
  void Promise.resolve();
  hook.disable();
  return !isCalled;
}
