import { endpoint } from "#lib/core/api/endpoint.ts";
import { Integrity } from "#lib/core/schema/integrity.ts";
import { integrity } from "#lib/modules/scan/integrity.ts";

/** Compares a server with its approved state, and with the lock file if there is one. */
export default endpoint("GET /api/v1/servers/{name}/integrity", {
  summary: "Compare a server with its approved state",
  access: "admin",
  data: Integrity,
  faults: ["server_not_found"],
  run: ({ app, params, by }) => integrity(app, params.name, by),
});
