import { type Caller, FULL_SCOPE } from "../schema/caller.ts";
import { judge } from "./judge.ts";
import type { Refusal, Verdict } from "./verdict.ts";

/**
 * A verdict as this caller may hear it (spec 000 §4.3 rule 6).
 *
 * Administrators hear it as it is. For anybody else a server that is out of scope or not configured does not exist:
 * the whole result becomes the one that any unknown id gets, byte for byte.
 *
 * @param caller the in-band check discloses as to an agent whoever asks: `{ tier: "agent" }`
 */
export function discloseVerdict(verdict: Verdict, caller: Pick<Caller, "tier">): Verdict {
  if (caller.tier === "admin" || verdict.ready) return verdict;
  return SILENT.includes(verdict.reason) ? NOT_FOUND : verdict;
}

const SILENT: readonly string[] = ["server_not_configured", "server_not_in_scope"] satisfies Refusal["reason"][];

/** Made by the judge itself, so that it cannot differ from an ordinary one. */
const NOT_FOUND = judge(
  {
    id: "a:b",
    server: {
      name: "a",
      enabled: true,
      quarantined: false,
      state: "Ready",
      authRequired: false,
      trusted: false,
      action: "",
    },
    denied: false,
  },
  { scope: FULL_SCOPE, connection: false },
);
