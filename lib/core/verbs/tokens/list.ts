import type { App } from "../../app.ts";
import type { TokenEntry } from "../../schema/token-entry.ts";
import { tokenEntry } from "./entry.ts";

/** Every agent token, revoked and expired ones too, by name. */
export function listTokens(app: Pick<App, "store" | "clock">): TokenEntry[] {
  return app.store.tokens.all().map((row) => tokenEntry(app, row));
}
