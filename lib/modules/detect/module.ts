import { callInspector } from "../../core/extension/call-inspector.ts";
import { module, provide } from "../../core/extension/module.ts";
import { config } from "./config.ts";
import { faults } from "./faults.ts";
import { guardArguments, guardError, guardProgress, guardReply } from "./guard.ts";
import { inspectCall, maxChars, prepareInspection } from "./inspect.ts";

export default module("detect", {
  config,
  faults,
  provides: [
    provide(callInspector, (app) => ({
      prepare: () => prepareInspection(app),
      arguments: (call) => guardArguments(app, call),
      progress: (call, progress) => guardProgress(app, call, progress),
      error: (call, error) => guardError(app, call, error),
      reply: (call, reply) => guardReply(app, call, reply),
      maxChars: () => maxChars(app),
      finished: (texts) => inspectCall(app, texts),
    })),
  ],
});
