import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { flag, strictMembers, wholeNumber } from "#lib/core/api/strict.ts";
import { Preflight } from "#lib/core/schema/preflight.ts";
import { preflightTools } from "#lib/core/verbs/tools/preflight.ts";

const MAX_TOOLS = 100;
const MAX_WAIT_MS = 10_000;

const about = v.description;
const Entry = strictMembers({
  id: v.pipe(v.string(), about("server:tool")),
  pin_hash: v.optional(v.pipe(v.string(), about("expected hash, `sha256/v{N}:{hex}`"))),
});

/** Whether a set of tools could be called now, with the reasons (spec 000 §2.6, §4.3). */
export default endpoint("POST /api/v1/preflight", {
  summary: "Check whether tools could be called",
  access: "read",
  oversize: 400,
  body: strictMembers({
    tools: v.pipe(
      v.array(Entry),
      v.check(({ length }) => length >= 1 && length <= MAX_TOOLS, `must hold 1 to ${MAX_TOOLS} entries`),
    ),
    profile: v.optional(v.pipe(v.string(), about("check from within this profile"))),
    policy: v.optional(
      v.pipe(
        strictMembers({
          read_only_only: flag("exclude tools that do not declare that they only read"),
          exclude_destructive: flag("exclude tools that do not declare that they are not destructive"),
          exclude_open_world: flag("exclude tools that do not declare a closed world"),
        }),
        about("annotation filters that were applied, in this order"),
      ),
    ),
    wait_ms: v.optional(
      v.pipe(
        wholeNumber(0, MAX_WAIT_MS),
        about("maximum time to wait for servers that are starting or disconnected (ms)"),
      ),
    ),
  }),
  data: Preflight,
  faults: ["check_unavailable"],
  run({ app, caller, by, body, signal }) {
    const { profile, policy, wait_ms: waitMs } = body;
    const tools = body.tools.map(({ id, pin_hash: pin }) => ({ id, ...(pin !== undefined && { pin }) }));
    return preflightTools(app, by, { tools, profile, policy, waitMs, tier: caller.tier, signal });
  },
});
