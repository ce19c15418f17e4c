import { Fault } from "../base/fault.ts";
import type { Reason } from "../policy/reasons.ts";
import type { Refusal } from "../policy/verdict.ts";
import { ITEM_WORDS, type ListedKind } from "../schema/item.ts";

/** Reasons that are reported alike: what is out of scope does not exist for this caller. */
const SILENT: ReadonlySet<string> = new Set<Reason>(["server_not_configured", "server_not_in_scope", "not_found"]);

export const isSilent = (reason: Reason): boolean => SILENT.has(reason);

interface NamedItem {
  readonly kind: ListedKind;
  readonly server: string;
  /** By its server's own name for it. */
  readonly name: string;
}

/** The fault for a caller that may not use a prompt, a resource or a template. */
export function itemFault({ kind, server, name }: NamedItem, verdict: Refusal): Fault {
  const about = { noun: ITEM_WORDS[kind].noun, name };
  if (isSilent(verdict.reason)) return new Fault("item_not_found", about);
  return new Fault("item_blocked", { ...about, server, ...verdict });
}
