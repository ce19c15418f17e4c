import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { setScannerEnabled } from "#lib/modules/scan/scanners.ts";

/** Includes a scanner in scans that name none. */
export default endpoint("POST /api/v1/security/scanners/{id}/enable", {
  summary: "Enable a scanner",
  access: "admin",
  validates: true,
  data: v.object({ status: v.literal("enabled"), id: v.string() }),
  faults: ["no_such_record", "management_disabled"],
  async run({ app, params, by }) {
    await setScannerEnabled(app, params.id, true, by);
    return { status: "enabled" as const, id: params.id };
  },
});
