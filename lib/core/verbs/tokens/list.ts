import type { App } from "../../app.ts";
import type { TokenEntry } from "../../schema/token-entry.ts";
import { tokenEntry } from "./entry.ts";

/** Lists all agent tokens by name, including revoked and expired ones. */
export function listTokens(app: Pick<App, "store" | "clock">): TokenEntry[] {
  return app.store.tokens.all().map((row) => tokenEntry(app, row));
}
