import { canonicalJson } from "../../core/base/canonical.ts";
import { ITEM_WORDS, LISTED_KINDS, type ListedKind } from "../../core/schema/item.ts";
import type { Difference, DriftClass } from "../../core/schema/lock-verification.ts";
import type { LockedItem, LockedServer } from "./document.ts";
import { LOCKED_MEMBERS } from "./item-lock.ts";
import { sameText } from "./schema-drift.ts";

/** One difference of a prompt, resource or template. */
type ItemDifference = Difference & { kind: ListedKind; item: string };

/** The differences between a server's items and the file; kinds that the file does not contain are not compared. */
export function itemsDrift(before: LockedServer, now: LockedServer): ItemDifference[] {
  return LISTED_KINDS.flatMap((kind) => {
    const [locked, listed] = [before[LOCKED_MEMBERS[kind]], now[LOCKED_MEMBERS[kind]] ?? {}];
    if (!locked) return [];
    const names = [...new Set([...Object.keys(locked), ...Object.keys(listed)])].sort();
    return names.flatMap((item): ItemDifference[] => {
      const a = Object.hasOwn(locked, item) ? locked[item] : undefined;
      const b = Object.hasOwn(listed, item) ? listed[item] : undefined;
      const { noun } = ITEM_WORDS[kind];
      if (!a) return [{ kind, item, at: "", class: "capability", what: `new ${noun}, not in the lock file` }];
      if (!b) return [{ kind, item, at: "", class: "narrowing", what: `the ${noun} was removed` }];
      return itemDrift(a, b).map((difference) => ({ kind, item, ...difference }));
    });
  });
}

/** Kinds that the server lists but the file does not contain, because an older release wrote it. */
export function uncoveredItems(before: LockedServer, now: LockedServer): string[] {
  return LISTED_KINDS.flatMap((kind) => {
    const member = LOCKED_MEMBERS[kind];
    if (before[member] || Object.keys(now[member] ?? {}).length === 0) return [];
    return [
      `the file has no ${ITEM_WORDS[kind].plural}, because an older version wrote it; update it with: proxy lock`,
    ];
  });
}

/** The differences in the definition of one item. */
export function itemDrift(before: LockedItem, now: LockedItem): Difference[] {
  if (before.pin === now.pin) return [];
  const [a, b] = [before.definition, now.definition];
  const members = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return members.flatMap((at): Difference[] => {
    if (json(a[at]) === json(b[at])) return [];
    const isText = TEXTS.has(at);
    if (isText && sameText(a[at], b[at])) return [];
    return [{ at, class: classOf(at, a[at], b[at]), what: `the ${at} changed` }];
  });
}

/** Members that a model or a person reads, and on which clients do not act. */
const TEXTS = new Set(["name", "title", "description", "icons", "annotations", "mimeType"]);

function classOf(member: string, a: unknown, b: unknown): DriftClass {
  if (TEXTS.has(member)) return "text";
  if (member === "arguments") return json(withoutTexts(a)) === json(withoutTexts(b)) ? "text" : "widening";
  return "capability";
}

/** The arguments of a prompt without their descriptions. */
function withoutTexts(args: unknown): unknown {
  if (!Array.isArray(args)) return args;
  return args.map(({ title: _, description: __, ...rest }) => rest);
}

const json = (value: unknown): string => (value === undefined ? "-" : canonicalJson(value));
