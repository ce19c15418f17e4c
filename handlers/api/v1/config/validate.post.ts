import * as v from "valibot";
import { ConfigDocumentShape, ConfigProblemShape, MAX_DOCUMENT_BYTES } from "#lib/core/api/config-shapes.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { validateSettings } from "#lib/core/verbs/settings/validate.ts";

/** Checks a configuration without applying it (spec 000 §4.6, §5 rule 3). */
export default endpoint("POST /api/v1/config/validate", {
  summary: "Check a configuration",
  access: "read",
  body: ConfigDocumentShape,
  bodyLimit: MAX_DOCUMENT_BYTES,
  data: v.object({
    valid: v.boolean(),
    errors: v.array(ConfigProblemShape),
    warnings: v.pipe(v.array(ConfigProblemShape), v.description("warnings, such as unknown keys or missing folders")),
  }),
  run: ({ app, body, caller }) => validateSettings(app, body, caller),
});
