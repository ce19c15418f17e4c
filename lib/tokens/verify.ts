import type { App } from "../app.ts";
import type { Config } from "../config/schema.ts";
import type { Caller } from "../shape/caller.ts";
import type { TokenRow } from "../shape/token.ts";
import { scopeOf } from "./scope.ts";
import { hashOf } from "./secret.ts";

/** Why a token that was shown admits nobody. */
export type Unfit = "unknown" | "revoked" | "expired";

/** Callers already made: a token's row and the configuration are replaced, never changed. */
const callers = new WeakMap<TokenRow, { config: Config; caller: Caller }>();

/** Who shows this secret, or why it is nobody. Asks memory only, since every request comes by here. */
export function verify(
  { store, config, clock }: Pick<App, "store" | "config" | "clock">,
  secret: string,
): Caller | Unfit {
  const row = store.tokens.byHash(hashOf(secret));
  if (!row) return "unknown";
  const now = clock.now();
  const unfit = unfitness(row, now);
  if (unfit) return unfit;
  store.tokens.used(row, now);
  const current = config.current();
  const made = callers.get(row);
  if (made?.config === current) return made.caller;
  const caller: Caller = { tier: "agent", name: row.name, door: "tcp", scope: scopeOf(row, current) };
  callers.set(row, { config: current, caller });
  return caller;
}

/** Why a token of this name admits nobody at this moment; undefined when it is good. */
export function unfit({ store, clock }: Pick<App, "store" | "clock">, name: string): Unfit | undefined {
  const row = store.tokens.get(name);
  return row ? unfitness(row, clock.now()) : "unknown";
}

function unfitness({ revokedAt, expiresAt }: TokenRow, now: number): Unfit | undefined {
  if (revokedAt !== undefined) return "revoked";
  return now >= expiresAt ? "expired" : undefined;
}
