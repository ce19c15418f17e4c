import { part } from "../../core/app.ts";
import { createSandbox, type Sandbox } from "./sandbox/sandbox.ts";

/** Threads that run scripts, made when needed. */
export const sandbox = part<Sandbox>(
  "sandbox",
  ({ config, clock }) => createSandbox({ size: () => config.current().code_execution_pool_size, clock }),
  (opened) => opened.close(),
);
