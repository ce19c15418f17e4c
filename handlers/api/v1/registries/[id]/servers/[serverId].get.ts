import { endpoint } from "#lib/core/api/endpoint.ts";
import { ListedServer } from "#lib/core/schema/registry.ts";
import { findListedServer } from "#lib/modules/registry/find.ts";

/** One server of a registry, with the inputs that it needs and the command that it would run. */
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
  run: async ({ app, caller, params: { id, serverId }, signal }) =>
    await findListedServer(app, id, serverId, caller, signal),
});
