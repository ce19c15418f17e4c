import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { cancelAll } from "#lib/modules/scan/scan-all.ts";

/** Cancels the scan of all servers; responds when the current scans have ended. */
export default endpoint("POST /api/v1/security/cancel-all", {
  summary: "Cancel the scan of all servers",
  access: "admin",
  data: v.object({ status: v.literal("cancelled") }),
  faults: ["scan_not_running"],
  async run({ app }) {
    await cancelAll(app);
    return { status: "cancelled" as const };
  },
});
