import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ConfigVersionEntry } from "#lib/core/schema/config-version-entry.ts";
import { readConfigVersion } from "#lib/core/verbs/settings/config-versions.ts";

/** One stored version of the configuration file, masked. */
export default endpoint("GET /api/v1/config/history/{version}", {
  summary: "Show an earlier configuration",
  access: "admin",
  data: v.object({
    ...ConfigVersionEntry.entries,
    current: v.pipe(v.boolean(), v.description("this version is current")),
    config: v.pipe(v.looseObject({}), v.description("configuration with masked secrets")),
  }),
  faults: ["no_such_record"],
  run: ({ app, params }) => readConfigVersion(app, params.version),
});
