import * as v from "valibot";
import { ShownConfigShape } from "#lib/core/api/config-shapes.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { showRevision } from "#lib/core/api/revision.ts";
import { showSettings } from "#lib/core/verbs/settings/show.ts";

const about = v.description;

/** The configuration, always masked (spec 000 §4.6, §5 rule 3). */
export default endpoint("GET /api/v1/config", {
  summary: "Show the configuration",
  access: "read",
  data: v.object({
    /** What the file says, with defaults; secrets are masked whatever is set. */
    config: ShownConfigShape,
    config_path: v.optional(v.pipe(v.string(), about("for administrators"))),
    revision: v.pipe(v.string(), about("revision; send it or the ETag as `If-Match` with a change")),
    overrides: v.pipe(v.looseObject({}), about("values that the environment or the command line overrides")),
    pending_restart: v.pipe(v.array(v.string()), about("keys whose new value needs a restart")),
    unknown_keys: v.pipe(v.array(v.string()), about("unknown keys; the proxy preserves them")),
    problem: v.optional(v.pipe(v.string(), about("error of the last edit by hand, if it was rejected"))),
  }),
  run({ app, caller, c }) {
    const shown = showSettings(app, caller);
    showRevision(c, shown.revision);
    return { ...shown };
  },
});
