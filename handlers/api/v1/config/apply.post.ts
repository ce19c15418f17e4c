import * as v from "valibot";
import { CONFIG_CHANGE_FAULTS, writeConfigChange } from "#lib/core/api/config-change.ts";
import { ConfigDocumentShape, MAX_DOCUMENT_BYTES } from "#lib/core/api/config-shapes.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { SettingsChange } from "#lib/core/schema/settings-change.ts";

/**
 * Replaces the complete configuration; settings that need no restart take effect immediately (spec 000 §4.6). A
 * document without the API key or without any server is rejected unless the request confirms it.
 */
export default endpoint("POST /api/v1/config/apply", {
  summary: "Replace the configuration",
  access: "admin",
  validates: true,
  query: v.object({
    confirm: v.optional(
      v.pipe(v.picklist(["true", "false"]), v.description("confirm a change that drops the API key or all servers")),
      "false",
    ),
  }),
  body: ConfigDocumentShape,
  bodyLimit: MAX_DOCUMENT_BYTES,
  data: SettingsChange,
  faults: ["echoed_mask", "confirmation_required", ...CONFIG_CHANGE_FAULTS],
  run: ({ query, ...request }) => writeConfigChange("apply", { ...request, confirmed: query.confirm === "true" }),
});
