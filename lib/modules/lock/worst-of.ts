import { DRIFT_CLASSES, type Drift, type DriftClass } from "../../core/schema/lock-verification.ts";

/** The most severe class of all differences; undefined without a difference. */
export function worstOf(drifts: readonly Pick<Drift, "class">[]): DriftClass | undefined {
  return DRIFT_CLASSES.findLast((one) => drifts.some((drift) => drift.class === one));
}
