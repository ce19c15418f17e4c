import { type Caller, FULL_SCOPE } from "../schema/caller.ts";
import { ITEM_KINDS, type ItemKind } from "../schema/item.ts";
import { judge } from "./judge.ts";
import type { Refusal, Verdict } from "./verdict.ts";

/**
 * Returns a verdict as it may be shown to this caller (spec 000 §4.3 rule 6).
 *
 * Administrators get it unchanged. For other callers, a server that is out of their scope or not configured does not
 * exist: the result is byte for byte the one for an unknown id.
 *
 * @param kind the kind of item that the verdict is about
 * @param caller the check within an MCP request passes `{ tier: "agent" }` for every caller
 */
export function discloseVerdict(verdict: Verdict, caller: Pick<Caller, "tier">, kind: ItemKind = "tool"): Verdict {
  if (caller.tier === "admin" || verdict.ready) return verdict;
  return SILENT.includes(verdict.reason) ? NOT_FOUND[kind] : verdict;
}

const SILENT: readonly string[] = ["server_not_configured", "server_not_in_scope"] satisfies Refusal["reason"][];

/** The results for unknown items. `judge` makes them, so that they cannot differ from those for other unknown ids. */
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
