import * as v from "valibot";
import { CONFIG_CHANGE_FAULTS, writeConfigChange } from "#lib/core/api/config-change.ts";
import { ConfigDocumentShape, MAX_DOCUMENT_BYTES } from "#lib/core/api/config-shapes.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { SettingsChange } from "#lib/core/schema/settings-change.ts";

/**
 * Changes parts of the configuration: objects merge deeply, null deletes, unknown keys are rejected (spec 000 §4.6).
 */
export default endpoint("PATCH /api/v1/config", {
  summary: "Change parts of the configuration",
  access: "admin",
  validates: true,
  query: v.object({
    allow_unknown: v.optional(
      v.pipe(v.picklist(["true", "false"]), v.description("preserve unknown keys (default: false)")),
      "false",
    ),
  }),
  body: ConfigDocumentShape,
  bodyLimit: MAX_DOCUMENT_BYTES,
  data: SettingsChange,
  faults: ["echoed_mask", ...CONFIG_CHANGE_FAULTS],
  run: ({ query, ...request }) =>
    writeConfigChange("patch", { ...request, allowsUnknown: query.allow_unknown === "true" }),
});
