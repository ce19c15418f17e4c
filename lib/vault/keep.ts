import type { App } from "../app.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { usesOf } from "./uses.ts";

/**
 * Puts a value into the keyring before the configuration refers to it, so that a crash between the two leaves a secret
 * too many and never one too few.
 *
 * @returns takes it back, where the configuration could then not be written
 * @throws Fault already_exists for a name that holds another value in use, invalid_request, secret_unwritable
 */
export async function keep(app: App, name: string, value: string): Promise<() => Promise<void>> {
  const before = await app.secrets.get(name).catch(() => undefined);
  if (before === value) return async () => {};
  if (before !== undefined && usesOf(app, name).length > 0) throw new Fault("already_exists", { what: "secret", name });
  await app.secrets.set(name, value).catch((error: unknown) => {
    if (error instanceof Fault) throw error;
    throw new Fault("secret_unwritable", { name, reason: reasonOf(error) }, { cause: error });
  });
  return async () => {
    const undone = before === undefined ? app.secrets.delete(name) : app.secrets.set(name, before);
    await Promise.resolve(undone).catch((error: unknown) =>
      app.log.warn(`the secret "${name}" was stored, but nothing refers to it`, { error }),
    );
  };
}

/** What stands for a secret in the configuration. */
export const referenceTo = (name: string): string => `\${keyring:${name}}`;
