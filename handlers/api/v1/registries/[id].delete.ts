import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { RegistryRecord } from "#lib/core/schema/registry.ts";
import { remove } from "#lib/modules/registry/change.ts";

/** Removes a custom registry; servers installed from it remain (spec 000 §4.4). */
export default endpoint("DELETE /api/v1/registries/{id}", {
  summary: "Remove a registry",
  access: "admin",
  validates: true,
  data: v.object({ registry: RegistryRecord }),
  faults: ["registries_locked", "registry_shadows_builtin", "registry_not_found", "management_disabled"],
  run: async ({ app, params: { id }, by }) => ({ registry: await remove(app, id, by) }),
});
