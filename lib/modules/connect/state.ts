import { part } from "../../core/app.ts";
import { createKeyedQueue } from "../../core/catalog/keyed-queue.ts";

/** A queue for each client file, by path, so that changes of the same file run serially. */
export const clientFileTurns = part("client files", () => createKeyedQueue());
