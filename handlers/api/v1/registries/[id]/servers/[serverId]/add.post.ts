import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { members } from "#lib/core/schema/members.ts";
import { InstalledServer } from "#lib/core/schema/registry.ts";
import { install } from "#lib/modules/registry/install.ts";
import { installedServer } from "#lib/modules/registry/installed-server.ts";

/** Adds a server from a registry; the proxy creates its definition, the request does not contain it (spec 000 §4.4). */
export default endpoint("POST /api/v1/registries/{id}/servers/{serverId}/add", {
  summary: "Add a server from a registry",
  access: "admin",
  creates: true,
  body: v.strictObject({
    name: v.optional(v.pipe(v.string(), v.description("name of the server in the proxy"))),
    env: v.optional(v.pipe(members(v.string()), v.description("values of its inputs by name, or secret references"))),
    enabled: v.optional(v.pipe(v.boolean(), v.description("connect to the server; default: true"))),
  }),
  data: v.object({ server: InstalledServer }),
  faults: [
    "registry_not_found",
    "server_not_found",
    "no_install_info",
    "missing_required_input",
    "duplicate_name",
    "echoed_mask",
    "invalid_registry_url",
    "registry_unavailable",
    "registry_source_unusable",
    "secret_unwritable",
    "management_disabled",
  ],
  async run({ app, caller, params: { id, serverId }, body, by, signal }) {
    return { server: installedServer(app, await install(app, id, serverId, body, by, signal), caller) };
  },
});
