import type { App } from "../../core/app.ts";
import type { LockVerification } from "../../core/schema/lock-verification.ts";
import { compare } from "./compare.ts";
import { currentLock } from "./current.ts";
import { readLock } from "./document.ts";
import { worstOf } from "./worst-of.ts";

/** Maximum number of reported differences; `worst` covers all of them. */
const MAX_DIFFERENCES = 2000;

/** Compares all servers with a lock file. @throws Fault lock_invalid */
export async function verifyLock(app: App, text: string): Promise<LockVerification> {
  const { drifts, unverified } = compare(readLock(text), await currentLock(app));
  const worst = worstOf(drifts);
  return {
    in_step: drifts.length === 0,
    ...(worst && { worst }),
    drifts: drifts.slice(0, MAX_DIFFERENCES),
    unverified,
  };
}
