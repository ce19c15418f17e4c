import * as v from "valibot";
import { LISTED_KINDS } from "./item.ts";
import { DRIFT_CLASSES } from "./lock-verification.ts";

const about = v.description;

/** How a server differs from its approved state and, if there is one, from the lock file. */
export const Integrity = v.object({
  server_name: v.string(),
  status: v.pipe(
    v.picklist(["intact", "changed", "unverified", "no_baseline"]),
    about(
      "`unverified`: nothing differs, but some facts could not be compared; `no_baseline`: there is no approved state to compare with",
    ),
  ),
  checked_at: v.string(),
  baseline: v.exactOptional(
    v.object({
      taken_at: v.string(),
      taken_by: v.pipe(v.string(), about("who approved it: a caller, `release` from quarantine, or `first seen`")),
    }),
  ),
  differences: v.array(
    v.object({
      against: v.picklist(["approval", "lock"]),
      tool: v.exactOptional(v.string()),
      kind: v.exactOptional(v.pipe(v.picklist(LISTED_KINDS), about("with `item`: what differs is no tool"))),
      item: v.exactOptional(v.pipe(v.string(), about("name, URI or URI template"))),
      at: v.pipe(
        v.string(),
        about("what differs: start, package, container, files, instructions, a member of a tool or item"),
      ),
      class: v.pipe(v.picklist(DRIFT_CLASSES), about("as in `POST /api/v1/lock/verify`")),
      what: v.string(),
    }),
  ),
  unverified: v.pipe(v.array(v.string()), about("facts that are unknown here and were not compared")),
});
export type Integrity = v.InferOutput<typeof Integrity>;
