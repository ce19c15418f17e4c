import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of registries. */
export const faults = defineFaults({
  duplicate_name: {
    status: 400,
    text: (p: { name: string }) =>
      `a server named "${p.name}" already exists; choose another name, or remove that server with: proxy upstream remove`,
  },
  duplicate_registry: {
    status: 409,
    text: (p: { id: string }) =>
      `registry "${p.id}" is already configured; change it with: proxy registry edit ${p.id}`,
  },
  invalid_registry_url: {
    status: 400,
    text: (p: { url: string; reason: string }) => `"${p.url}" is not a valid registry URL: ${p.reason}`,
  },
  missing_required_input: {
    status: 400,
    text: (p: { server: string; missing_inputs: readonly { name: string }[]; report: object }) =>
      `"${p.server}" needs ${p.missing_inputs.map(({ name }) => name).join(", ")}; send each as a member of env (proxy registry install: --env NAME=value)`,
  },
  no_install_info: {
    status: 400,
    text: (p: { server: string; reason: string }) =>
      `"${p.server}" cannot be installed from its registry entry: ${p.reason}`,
  },
  registry_not_found: {
    status: 404,
    text: (p: { id: string }) => `registry "${p.id}" not found; see: proxy registry list`,
  },
  registry_shadows_builtin: {
    status: 409,
    text: (p: { id: string }) =>
      `"${p.id}" is a built-in registry, which cannot be replaced, changed or removed; choose another id`,
  },
  registry_source_unusable: {
    status: 400,
    text: (p: { registry: string; reason: string }) => `registry "${p.registry}" returned no usable data: ${p.reason}`,
  },
  registry_unavailable: {
    status: 502,
    text: (p: { registry: string; reason: string }) => `registry "${p.registry}" cannot be reached: ${p.reason}`,
  },
  unsupported_registry_protocol: {
    status: 400,
    text: (p: { protocol: string }) =>
      `the protocol of an added registry must be modelcontextprotocol/registry, not "${p.protocol}"; registries with other protocols can be added in the configuration file`,
  },
});
