import type { ListedKind } from "../../core/schema/item.ts";

/** What a difference means, mildest first. */
export const CLASSES = ["cosmetic", "text", "narrowing", "widening", "capability"] as const;
export type DriftClass = (typeof CLASSES)[number];

/** One difference between what is locked and what is. */
export interface Drift {
  server: string;
  tool?: string;
  /** With `item`: a prompt, resource or resource template, by the server's own name for it. */
  kind?: ListedKind;
  item?: string;
  /** Member that differs, such as `inputSchema.properties.path.enum`. */
  at: string;
  class: DriftClass;
  what: string;
}

/** The gravest class of all; undefined without a difference. */
export function worstOf(drifts: readonly Pick<Drift, "class">[]): DriftClass | undefined {
  return CLASSES.findLast((one) => drifts.some((drift) => drift.class === one));
}

/** A difference before it is known where it lies. */
export interface Difference {
  at: string;
  class: DriftClass;
  what: string;
}
