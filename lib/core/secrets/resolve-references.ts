import { Fault, reasonOf } from "../base/fault.ts";

/** Matches `${env:X}` and `${keyring:X}`, also several in one text; there is no escape for a literal one. */
const REFERENCE = /\$\{(env|keyring):([^}]*)\}/g;

/**
 * Replaces references with their values in one pass: a value is never searched for references itself.
 *
 * @throws Fault secret_missing naming the first reference, in order of the text, that has no value or an empty one
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

/** `env` may be the process's own, whose prototype answers to names such as `constructor`. */
function inEnv(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
