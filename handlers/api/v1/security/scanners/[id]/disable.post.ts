import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { setScannerEnabled } from "#lib/modules/scan/scanners.ts";

/** Excludes a scanner from scans that name none. */
export default endpoint("POST /api/v1/security/scanners/{id}/disable", {
  summary: "Disable a scanner",
  access: "admin",
  validates: true,
  data: v.object({ status: v.literal("disabled"), id: v.string() }),
  faults: ["no_such_record", "management_disabled"],
  async run({ app, params, by }) {
    await setScannerEnabled(app, params.id, false, by);
    return { status: "disabled" as const, id: params.id };
  },
});
