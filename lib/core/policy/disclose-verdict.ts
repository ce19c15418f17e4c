import { type Caller, FULL_SCOPE } from "../schema/caller.ts";
import { ITEM_KINDS, type ItemKind } from "../schema/item.ts";
import { judge } from "./judge.ts";
import type { Refusal, Verdict } from "./verdict.ts";

/**
 * A verdict as disclosed to this caller (spec 000 §4.3 rule 6).
 *
 * Administrators get it unchanged. For any other caller a server that is out of scope or not configured does not exist:
 * the result becomes byte for byte the one for an unknown id.
 *
 * @param kind what the verdict is about
 * @param caller the in-band check discloses as to an agent whoever asks: `{ tier: "agent" }`
 */
export function discloseVerdict(verdict: Verdict, caller: Pick<Caller, "tier">, kind: ItemKind = "tool"): Verdict {
  if (caller.tier === "admin" || verdict.ready) return verdict;
  return SILENT.includes(verdict.reason) ? NOT_FOUND[kind] : verdict;
}

const SILENT: readonly string[] = ["server_not_configured", "server_not_in_scope"] satisfies Refusal["reason"][];

/** The judge makes these results, so that they cannot differ from those for an ordinary unknown id. */
const NOT_FOUND = Object.fromEntries(ITEM_KINDS.map((kind) => [kind, unknownItem(kind)])) as Record<ItemKind, Verdict>;

function unknownItem(kind: ItemKind): Verdict {
  const server = {
    name: "a",
    enabled: true,
    quarantined: false,
    state: "Ready",
    authRequired: false,
    trusted: false,
    action: "",
  } as const;
  return judge({ id: "a:b", kind, server, denied: false }, { scope: FULL_SCOPE, connection: false });
}
