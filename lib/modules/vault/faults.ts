import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of the list of secrets. */
export const faults = defineFaults({
  secret_in_use: {
    status: 409,
    text: (p: { name: string; places: string }) =>
      `the secret "${p.name}" is in use (${p.places}); remove those references first, or remove the secret anyway with ?force=true (proxy secrets remove --force)`,
  },
  secret_unwritable: {
    status: 500,
    text: (p: { name: string; reason: string; removing?: true }) =>
      `the secret "${p.name}" cannot be ${p.removing ? "removed" : "stored"}: ${p.reason}`,
  },
});
