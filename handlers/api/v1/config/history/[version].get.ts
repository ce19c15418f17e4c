import * as v from "valibot";
import { ConfigVersionShape } from "#lib/core/api/config-shapes.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { readConfigVersion } from "#lib/core/verbs/settings/config-versions.ts";

/** One earlier content of the configuration file, masked. */
export default endpoint("GET /api/v1/config/history/{version}", {
  summary: "Show an earlier configuration",
  access: "admin",
  data: v.object({
    ...ConfigVersionShape.entries,
    current: v.pipe(v.boolean(), v.description("this version is current")),
    config: v.pipe(v.looseObject({}), v.description("configuration with masked secrets")),
  }),
  faults: ["no_such_record"],
  run: ({ app, params }) => readConfigVersion(app, params.version),
});
