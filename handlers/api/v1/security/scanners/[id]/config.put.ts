import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScannerChange } from "#lib/modules/scan/config.ts";
import { configureScanner } from "#lib/modules/scan/scanners.ts";

/** Configures an external scanner; absent members keep their values (reference 1.15). */
export default endpoint("PUT /api/v1/security/scanners/{id}/config", {
  summary: "Configure a scanner",
  access: "admin",
  body: v.pipe(
    ScannerChange,
    v.check((body) => Object.values(body).some((value) => value !== undefined), "send at least one setting to change"),
  ),
  data: v.object({ status: v.literal("configured"), id: v.string() }),
  faults: ["no_such_record", "scanner_fixed", "echoed_mask", "management_disabled", "config_broken"],
  async run({ app, params, body, by }) {
    await configureScanner(app, params.id, body, by);
    return { status: "configured" as const, id: params.id };
  },
});
