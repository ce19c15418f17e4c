import { changesConfig } from "#lib/http/config-change.ts";
import { endpoint } from "#lib/http/endpoint.ts";

/** Replaces the whole configuration; hot settings take effect at once (spec 000 §4.6). */
export default endpoint("POST /api/v1/config/apply", {
  summary: "Replace the configuration",
  ...changesConfig("apply"),
});
