import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { RegistryRecord } from "#lib/core/schema/registry.ts";
import { edit } from "#lib/modules/registry/change.ts";

const text = (description: string) => v.optional(v.pipe(v.string(), v.description(description)));

/** Changes a custom registry; empty and absent fields keep their values (spec 000 §4.4). */
export default endpoint("PUT /api/v1/registries/{id}", {
  summary: "Change a registry",
  access: "admin",
  validates: true,
  body: v.object({ name: text("for people"), url: text("its page"), servers_url: text("where its list is") }),
  data: v.object({ registry: RegistryRecord }),
  faults: [
    "invalid_registry_url",
    "registries_locked",
    "registry_shadows_builtin",
    "registry_not_found",
    "echoed_mask",
    "management_disabled",
  ],
  run: async ({ app, params: { id }, body, by }) => ({ registry: await edit(app, id, body, by) }),
});
