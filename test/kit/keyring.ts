import type { Keyring } from "#lib/core/secrets/keyring.ts";

/** A keyring in memory. */
export function memoryKeyring(): Keyring & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    get: async (name) => kept.get(name),
    set: async (name, value) => void kept.set(name, value),
    delete: async (name) => kept.delete(name),
  };
}
