import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ConfigVersionEntry } from "#lib/core/schema/config-version-entry.ts";
import { listConfigVersions } from "#lib/core/verbs/settings/config-versions.ts";

/** The stored versions of the configuration file, newest first, with time, author and changes. */
export default endpoint("GET /api/v1/config/history", {
  summary: "List earlier configurations",
  access: "admin",
  data: v.object({ versions: v.array(ConfigVersionEntry), total: v.number() }),
  async run({ app }) {
    const versions = await listConfigVersions(app);
    return { versions, total: versions.length };
  },
});
