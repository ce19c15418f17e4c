import { Fault, reasonOf } from "../base/fault.ts";

/** Matches `${env:X}` and `${keyring:X}`. There is no escape for a literal `${env:X}`. */
const REFERENCE = /\$\{(env|keyring):([^}]*)\}/g;

/**
 * Replaces references by their values in one pass: a value is never searched for further references.
 *
 * @throws Fault secret_missing that names the first reference in the text without a value or with an empty one
 */
export async function resolveReferences(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  fromKeyring: (name: string) => Promise<string | undefined>,
): Promise<string> {
  if (!text.includes("${")) return text;
  const values = new Map<string, string>();
  for (const [reference, kind, name] of text.matchAll(REFERENCE)) {
    if (values.has(reference)) continue;
    values.set(
      reference,
      await valueFor(reference, kind === "env" ? () => inEnv(env, name!) : () => fromKeyring(name!)),
    );
  }
  return text.replace(REFERENCE, (reference) => values.get(reference)!);
}

async function valueFor(
  reference: string,
  ask: () => string | undefined | Promise<string | undefined>,
): Promise<string> {
  let value: string | undefined;
  try {
    value = await ask();
  } catch (error) {
    throw new Fault("secret_missing", { reference, reason: reasonOf(error) }, { cause: error });
  }
  if (!value) throw new Fault("secret_missing", { reference });
  return value;
}

/** Reads a variable. `env` may be that of the process, which inherits members such as `constructor`. */
function inEnv(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
