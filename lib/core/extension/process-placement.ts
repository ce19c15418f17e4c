import { part } from "../app.ts";
import type { ProcessPlacement } from "../upstream/process-placement.ts";

/** Shares the processes of servers between replicas. Without a module that provides it, each runs on this machine. */
export const processPlacement = part<ProcessPlacement | undefined>(
  "processPlacement",
  () => undefined,
  (placement) => placement?.close(),
);
