import type { App } from "../../core/app.ts";
import { compare, type Unverified } from "./compare.ts";
import { currentLock } from "./current.ts";
import { readLock } from "./document.ts";
import { type Drift, type DriftClass, worstOf } from "./drift.ts";

interface Verified {
  in_step: boolean;
  worst?: DriftClass;
  drifts: Drift[];
  unverified: Unverified[];
}

/** Most differences told; all of them count. */
const MAX_DIFFERENCES = 2000;

/** What of the fleet differs from a lock file. @throws Fault lock_invalid */
export async function verifyLock(app: App, text: string): Promise<Verified> {
  const { drifts, unverified } = compare(readLock(text), await currentLock(app));
  const worst = worstOf(drifts);
  return {
    in_step: drifts.length === 0,
    ...(worst && { worst }),
    drifts: drifts.slice(0, MAX_DIFFERENCES),
    unverified,
  };
}
