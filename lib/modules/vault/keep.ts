import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { Fault } from "./faults.ts";
import { usesOf } from "./uses.ts";

/**
 * Stores a value in the keyring before the configuration refers to it, so that a crash in between leaves an unused
 * secret rather than a reference without a value.
 *
 * @returns a function that undoes it if writing the configuration fails
 * @throws Fault already_exists if the name has another value that is in use, invalid_request, secret_unwritable
 */
export async function keep(app: App, name: string, value: string): Promise<() => Promise<void>> {
  const before = await storedValue(app, name);
  if (before === value) return async () => {};
  if (before !== undefined && usesOf(app, name).length > 0) throw new Fault("already_exists", { what: "secret", name });
  await put(app, name, value);
  return async () => {
    if (before === undefined) await dropUnused(app, name);
    else await app.secrets.set(name, before).catch((error: unknown) => unused(app, name, error));
  };
}

/**
 * The stored value of a name. If the keyring is not available, nothing may be stored, because the name may have a
 * value.
 *
 * @throws Fault secret_unwritable
 */
export async function storedValue(app: App, name: string): Promise<string | undefined> {
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

/** Deletes a secret that nothing refers to; logs a failure. */
export async function dropUnused(app: App, name: string): Promise<void> {
  await app.secrets.delete(name).catch((error: unknown) => unused(app, name, error));
}

function unused(app: App, name: string, error: unknown): void {
  app.log.warn(`the secret "${name}" was stored, but nothing references it`, { error });
}

/** The reference to a secret for the configuration. */
export const referenceTo = (name: string): string => `\${keyring:${name}}`;
