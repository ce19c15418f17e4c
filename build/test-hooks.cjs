// @ts-check
/**
 * Loaded before Node's test runner (`node --require`). The runner remembers which test created each asynchronous resource:
 * so it finds the suite of a declared test, and the test of a late error. It forgets a resource when it is destroyed. To be
 * notified of every promise and its end slows the garbage collector and each `await`.
 *
 * A Node that can leave out promises remembers the running test in an `AsyncLocalStorage`, and the runner learns of it when
 * it asks what runs. An older one forgets the oldest resources instead of the destroyed ones.
 */
const asyncHooks = require("node:async_hooks");

const { AsyncLocalStorage, createHook, executionAsyncId } = asyncHooks;

/** The number of resources that the runner remembers in an older Node, which numbers them serially. */
const REMEMBERED = 1_000_000;

/** Since Node 24.12. */
const NO_PROMISES = { trackPromises: false };

asyncHooks.createHook = (callbacks) => {
  const isRunner = new Error().stack?.includes("node:internal/test_runner");
  if (!isRunner || !callbacks.init || !callbacks.destroy) return createHook(callbacks);
  return canLeaveOutPromises() ? whenAsked(callbacks) : withoutDestroy(callbacks);
};

/** @type {(() => void) | undefined} */
let beforeAnswer;

// The runner takes this function when it is loaded.
asyncHooks.executionAsyncId = () => {
  beforeAnswer?.();
  return executionAsyncId();
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
function whenAsked({ init, destroy }) {
  /** The id of the resource that is the running test, suite or hook. @type {AsyncLocalStorage<number>} */
  const running = new AsyncLocalStorage();
  /** @type {Set<number>} */
  const tests = new Set();
  beforeAnswer = () => {
    const id = executionAsyncId();
    const test = running.getStore();
    if (tests.has(id)) return;
    if (test === undefined) destroy?.(id);
    else init?.(id, "running", test, {});
  };
  return createHook({
    ...NO_PROMISES,
    init(asyncId, type, triggerAsyncId, resource) {
      if (type !== "Test") return;
      tests.add(asyncId);
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
