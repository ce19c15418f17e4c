import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { Fault } from "./faults.ts";
import { usesOf } from "./uses.ts";

/**
 * Puts a value into the keyring before the configuration refers to it, so that a crash between the two leaves a secret
 * too many and never one too few.
 *
 * @returns takes it back, where the configuration could then not be written
 * @throws Fault already_exists for a name that holds another value in use, invalid_request, secret_unwritable
 */
export async function keep(app: App, name: string, value: string): Promise<() => Promise<void>> {
  const before = await held(app, name);
  if (before === value) return async () => {};
  if (before !== undefined && usesOf(app, name).length > 0) throw new Fault("already_exists", { what: "secret", name });
  await put(app, name, value);
  return async () => {
    if (before === undefined) await dropUnused(app, name);
    else await app.secrets.set(name, before).catch((error: unknown) => unused(app, name, error));
  };
}

/**
 * What a name holds. A keyring that cannot be asked now may hold something: then nothing may be stored over it.
 *
 * @throws Fault secret_unwritable
 */
export async function held(app: App, name: string): Promise<string | undefined> {
  try {
    return await app.secrets.get(name);
  } catch (error) {
    const reason = `the keyring cannot be checked for an existing secret (${reasonOf(error)})`;
    throw new Fault("secret_unwritable", { name, reason }, { cause: error });
  }
}

/** @throws Fault invalid_request, secret_unwritable */
export async function put(app: App, name: string, value: string): Promise<void> {
  try {
    await app.secrets.set(name, value);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault("secret_unwritable", { name, reason: reasonOf(error) }, { cause: error });
  }
}

/** Forgets what was stored and is needed by nothing; what cannot be forgotten is told in the log. */
export async function dropUnused(app: App, name: string): Promise<void> {
  await app.secrets.delete(name).catch((error: unknown) => unused(app, name, error));
}

function unused(app: App, name: string, error: unknown): void {
  app.log.warn(`the secret "${name}" was stored, but nothing references it`, { error });
}

/** What stands for a secret in the configuration. */
export const referenceTo = (name: string): string => `\${keyring:${name}}`;
