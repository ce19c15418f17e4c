import { changesConfig } from "#lib/http/config-change.ts";
import { endpoint } from "#lib/http/endpoint.ts";

/** Changes parts of the configuration: objects merge deeply, null deletes (spec 000 §4.6). */
export default endpoint("PATCH /api/v1/config", {
  summary: "Change parts of the configuration",
  ...changesConfig("patch"),
});
