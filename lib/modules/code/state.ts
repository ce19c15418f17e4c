import { part } from "../../core/app.ts";
import { createSandbox, type Sandbox } from "./sandbox/sandbox.ts";

/** The sandbox threads of an App, started on demand. */
export const sandbox = part<Sandbox>(
  "sandbox",
  ({ config, clock }) => createSandbox({ size: () => config.current().code_execution_pool_size, clock }),
  (opened) => opened.close(),
);
