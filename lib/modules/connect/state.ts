import { part } from "../../core/app.ts";
import { createKeyedQueue } from "../../core/catalog/keyed-queue.ts";

/** Runs changes of the same client's file one after the other, by its path. */
export const clientFileTurns = part("client files", () => createKeyedQueue());
