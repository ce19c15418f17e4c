import { endpoint } from "#lib/http/endpoint.ts";
import { find } from "#lib/registry/find.ts";
import { ListedServer } from "#lib/shape/registry.ts";

/** One server of a registry, and what adding it would ask for and run. */
export default endpoint("GET /api/v1/registries/{id}/servers/{serverId}", {
  summary: "Show one server of a registry",
  access: "read",
  data: ListedServer,
  faults: [
    "registry_not_found",
    "server_not_found",
    "invalid_registry_url",
    "registry_unavailable",
    "registry_source_unusable",
  ],
  run: async ({ app, caller, params: { id, serverId }, signal }) => await find(app, id, serverId, caller, signal),
});
