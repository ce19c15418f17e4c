import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { CLASSES } from "#lib/modules/lock/drift.ts";
import { integrity } from "#lib/modules/scan/integrity.ts";

const about = v.description;

/** Compares what a server is now with what was approved of it, and with the lock file where there is one. */
export default endpoint("GET /api/v1/servers/{name}/integrity", {
  summary: "Compare a server with its approved state",
  access: "admin",
  data: v.object({
    server_name: v.string(),
    status: v.pipe(
      v.picklist(["intact", "changed", "unverified", "no_baseline"]),
      about(
        "`unverified`: nothing differs, but some facts could not be compared; `no_baseline`: there is no approved state to compare with",
      ),
    ),
    checked_at: v.string(),
    baseline: v.optional(
      v.object({
        taken_at: v.string(),
        taken_by: v.pipe(v.string(), about("who approved it: a caller, `release` from quarantine, or `first seen`")),
      }),
    ),
    differences: v.array(
      v.object({
        against: v.picklist(["approval", "lock"]),
        tool: v.optional(v.string()),
        at: v.pipe(v.string(), about("what differs: start, package, container, files, instructions, a tool's member")),
        class: v.pipe(v.picklist(CLASSES), about("as in `POST /api/v1/lock/verify`")),
        what: v.string(),
      }),
    ),
    unverified: v.pipe(v.array(v.string()), about("facts that are unknown here and were not compared")),
  }),
  faults: ["server_not_found"],
  run: ({ app, params, by }) => integrity(app, params.name, by),
});
