import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { configSchema } from "#lib/core/api/openapi/config-schema.ts";
import { configKeys } from "#lib/core/config/config-keys.ts";

const about = v.description;

/** The JSON Schema of the configuration, for editors and generated forms. */
export default endpoint("GET /api/v1/config/schema", {
  summary: "Describe the configuration",
  access: "read",
  data: v.object({
    schema: v.pipe(
      v.looseObject({}),
      about("JSON Schema (draft 2020-12) of the file; validation checks more than the schema"),
    ),
    restart_keys: v.pipe(v.array(v.string()), about("top-level keys whose change needs a restart")),
  }),
  run: () => ({
    schema: configSchema(),
    restart_keys: configKeys()
      .filter(({ facts }) => facts.reload === "restart")
      .map(({ key }) => key),
  }),
});
