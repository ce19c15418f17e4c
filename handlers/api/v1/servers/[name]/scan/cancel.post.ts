import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { cancelScan } from "#lib/modules/scan/cancel.ts";

/** Cancels the scan of a server; responds when it has ended. */
export default endpoint("POST /api/v1/servers/{name}/scan/cancel", {
  summary: "Cancel the scan of a server",
  access: "admin",
  data: v.object({ status: v.literal("cancelled"), server_name: v.string() }),
  faults: ["server_not_found", "scan_not_running"],
  async run({ app, params, by }) {
    await cancelScan(app, params.name, by);
    return { status: "cancelled" as const, server_name: params.name };
  },
});
