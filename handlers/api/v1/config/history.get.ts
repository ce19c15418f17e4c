import * as v from "valibot";
import { Version } from "#lib/core/api/config-shapes.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { list } from "#lib/core/verbs/settings/history.ts";

/** The last contents of the configuration file, newest first: when, by whom, what changed. */
export default endpoint("GET /api/v1/config/history", {
  summary: "List earlier configurations",
  access: "admin",
  data: v.object({ versions: v.array(Version), total: v.number() }),
  async run({ app }) {
    const versions = await list(app);
    return { versions, total: versions.length };
  },
});
