import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { RegistryRecord } from "#lib/core/schema/registry.ts";
import { addRegistry } from "#lib/modules/registry/change.ts";

const text = (description: string) => v.optional(v.pipe(v.string(), v.description(description)));

/** Adds a registry after checking that its list can be read; it counts as custom (spec 000 §4.4). */
export default endpoint("POST /api/v1/registries", {
  summary: "Add a registry",
  access: "admin",
  validates: true,
  creates: true,
  body: v.object({
    url: v.pipe(
      v.string(),
      v.minLength(1, "is required"),
      v.description("https URL, or a file on the proxy's machine"),
    ),
    protocol: text("must be modelcontextprotocol/registry, the default"),
    id: text("identifier; default: derived from the URL"),
    name: text("for people"),
  }),
  data: v.object({ registry: RegistryRecord }),
  faults: [
    "invalid_registry_url",
    "unsupported_registry_protocol",
    "registries_locked",
    "registry_shadows_builtin",
    "duplicate_registry",
    "registry_source_unusable",
    "echoed_mask",
    "management_disabled",
  ],
  run: async ({ app, body, by, signal }) => ({ registry: await addRegistry(app, body, by, signal) }),
});
