import { type App, part } from "../app.ts";
import { createByteBudget, requestBytes } from "../base/byte-budget.ts";

/** The memory budget for the bodies of all requests in progress. */
export const requestBodyBudget = part("bodies", ({ config }: App) =>
  createByteBudget(() => requestBytes(config.current().max_request_memory_mb)),
);
