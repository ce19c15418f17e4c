import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ExternalScanner } from "#lib/modules/scan/config.ts";
import { configureScanner } from "#lib/modules/scan/scanners.ts";

const { network, timeout } = ExternalScanner.entries;

/** Sets up a scanner of the configuration; what is absent stays as it is (reference 1.15). */
export default endpoint("PUT /api/v1/security/scanners/{id}/config", {
  summary: "Configure a scanner",
  access: "admin",
  body: v.pipe(
    v.object({
      env: v.optional(
        v.pipe(
          v.record(v.string(), v.nullable(v.string())),
          v.description("environment of its container, preferably secret references; null removes a variable"),
        ),
      ),
      docker_image: v.optional(v.pipe(v.string(), v.minLength(1))),
      network: v.optional(network.wrapped),
      timeout,
    }),
    v.check((body) => Object.values(body).some((value) => value !== undefined), "send at least one setting to change"),
  ),
  data: v.object({ status: v.literal("configured"), id: v.string() }),
  faults: ["no_such_record", "scanner_fixed", "echoed_mask", "management_disabled", "config_broken"],
  async run({ app, params, body, by }) {
    await configureScanner(app, params.id, body, by);
    return { status: "configured" as const, id: params.id };
  },
});
