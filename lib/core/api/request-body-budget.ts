import { type App, part } from "../app.ts";
import { createByteBudget, requestBytes } from "../base/byte-budget.ts";

/** The budget that the bodies of requests under way are counted on. */
export const requestBodyBudget = part("bodies", ({ config }: App) =>
  createByteBudget(() => requestBytes(config.current().max_request_memory_mb)),
);
