import { part } from "../../core/app.ts";
import { createTurns } from "../../core/catalog/turns.ts";

/** Runs changes of the same client's file one after the other, by its path. */
export const clientFileTurns = part("client files", () => createTurns());
