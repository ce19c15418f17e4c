// @ts-check
/**
 * Loaded before Node's test runner (`node --require`). The runner remembers which test created each asynchronous resource,
 * to name the test of a late error, and forgets a resource when it is destroyed. To be notified of that for every promise
 * slows the garbage collector and each `await`. Here it forgets the oldest resources instead.
 */
const asyncHooks = require("node:async_hooks");

/** The number of resources that the runner remembers. Node numbers them serially. */
const REMEMBERED = 1_000_000;

const { createHook } = asyncHooks;

asyncHooks.createHook = (callbacks) => {
  const { init, destroy } = callbacks;
  const isRunner = new Error().stack?.includes("node:internal/test_runner");
  if (!isRunner || !init || !destroy) return createHook(callbacks);
  return createHook({
    init(asyncId, type, triggerAsyncId, resource) {
      init(asyncId, type, triggerAsyncId, resource);
      destroy(asyncId - REMEMBERED);
    },
  });
};
