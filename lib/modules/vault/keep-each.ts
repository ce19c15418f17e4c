import type { App } from "../../core/app.ts";
import type { Actor } from "../../core/schema/caller.ts";
import type { SecretEntry } from "../../core/secrets/secrets.ts";
import { dropUnused, put, storedValue } from "./keep.ts";
import { reportSecretChange } from "./store.ts";

/** A value to store, and its name unless that is taken. */
interface Wanted {
  readonly name: string;
  readonly value: string;
}

/** The names under which secrets were stored, and a function that deletes the new ones. */
export interface Kept<S extends Wanted = Wanted> {
  readonly names: ReadonlyMap<S, string>;
  /** The store of each secret: the system's keyring, or the encrypted file. */
  readonly backends: ReadonlyMap<S, SecretEntry["backend"]>;
  undo(): Promise<void>;
}

/**
 * Stores values in the keyring, each under an unused name; an existing secret with the same value is used again.
 *
 * @param preview only returns the names that would be used
 * @throws Fault secret_unwritable, after deleting what was stored
 */
export async function keepEach<S extends Wanted>(
  app: App,
  secrets: readonly S[],
  preview: boolean,
  by: Actor,
): Promise<Kept<S>> {
  const names = new Map<S, string>();
  const taken = new Map<string, string>();
  const stored: string[] = [];
  const undo = async () => {
    for (const name of stored) await dropUnused(app, name);
  };
  try {
    for (const secret of secrets) {
      const { name, there } = await free(app, secret, taken);
      taken.set(name, secret.value);
      names.set(secret, name);
      if (preview || there) continue;
      await put(app, name, secret.value);
      stored.push(name);
      reportSecretChange(app, "store", name, by);
    }
    return { names, backends: await backendsOf(app, names), undo };
  } catch (error) {
    await undo();
    throw error;
  }
}

async function backendsOf<S>(app: App, names: ReadonlyMap<S, string>): Promise<Map<S, SecretEntry["backend"]>> {
  if (names.size === 0) return new Map();
  const { kind } = await app.secrets.confirmedBackend();
  const backends = new Map((await app.secrets.entries()).map(({ name, backend }) => [name, backend]));
  return new Map([...names].map(([secret, name]) => [secret, backends.get(name) ?? kind]));
}

async function free(app: App, { name, value }: Wanted, taken: ReadonlyMap<string, string>) {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`;
    const present = taken.get(candidate) ?? (await storedValue(app, candidate));
    if (present === undefined) return { name: candidate, there: false };
    if (present === value) return { name: candidate, there: true };
  }
}
