import { Fault } from "../base/fault.ts";
import type { Reason } from "../policy/reasons.ts";
import type { Refusal } from "../policy/verdict.ts";
import { ITEM_WORDS, type ListedKind } from "../schema/item.ts";

/** Reasons that are reported as "not found": for this caller, an item out of scope does not exist. */
const SILENT: ReadonlySet<string> = new Set<Reason>(["server_not_configured", "server_not_in_scope", "not_found"]);

/** True if the reason is reported as "not found". */
export const isSilent = (reason: Reason): boolean => SILENT.has(reason);

interface NamedItem {
  readonly kind: ListedKind;
  readonly server: string;
  /** The name (or URI) as the server writes it. */
  readonly name: string;
}

/** Returns the fault for a caller that may not use a prompt, a resource or a template. */
export function itemFault({ kind, server, name }: NamedItem, verdict: Refusal): Fault {
  const about = { noun: ITEM_WORDS[kind].noun, name };
  if (isSilent(verdict.reason)) return new Fault("item_not_found", about);
  return new Fault("item_blocked", { ...about, server, ...verdict });
}
