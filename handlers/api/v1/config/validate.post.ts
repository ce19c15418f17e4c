import * as v from "valibot";
import { DOCUMENT_LIMIT, Document, Problem } from "#lib/core/api/config-shapes.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { validate } from "#lib/core/verbs/settings/validate.ts";

/** Checks a configuration without applying it (spec 000 §4.6, §5 rule 3). */
export default endpoint("POST /api/v1/config/validate", {
  summary: "Check a configuration",
  access: "read",
  body: Document,
  bodyLimit: DOCUMENT_LIMIT,
  data: v.object({
    valid: v.boolean(),
    errors: v.array(Problem),
    warnings: v.pipe(v.array(Problem), v.description("warnings, such as unknown keys or missing folders")),
  }),
  run: ({ app, body, caller }) => validate(app, body, caller),
});
