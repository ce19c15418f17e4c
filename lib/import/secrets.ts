import { maskArgs } from "../redact/args.ts";
import { isSecretHeader, isSecretVariable } from "../redact/names.ts";
import { scrubText } from "../redact/text.ts";
import type { NewServer } from "../shape/server-patch.ts";

/** A value that looks like a secret, and where it stands. */
export interface Clear {
  /** Such as `env.TOKEN`, `headers.Authorization`, `args.2`. */
  readonly field: string;
  readonly value: string;
  /** What it would be called in the keyring, unless that is taken. */
  readonly name: string;
  /** The server with something else in its place. */
  replace(server: NewServer, by: string): NewServer;
}

/** What of a server's definition would stand in clear in the configuration file, by the rules of everything shown. */
export function clearSecrets(server: NewServer): Clear[] {
  return [...inMap(server, "env", isSecretVariable), ...inMap(server, "headers", isSecretHeader), ...inArgs(server)];
}

/** By its name, or by its shape. */
function inMap(server: NewServer, field: "env" | "headers", isSecret: (name: string) => boolean): Clear[] {
  return Object.entries(server[field] ?? {}).flatMap(([key, value]): Clear[] => {
    if (!value || isFilledIn(value) || !(isSecret(key) || scrubText(value) !== value)) return [];
    return [
      {
        field: `${field}.${key}`,
        value,
        name: secretName(server.name, key),
        replace: (from, by) => ({ ...from, [field]: { ...from[field], [key]: by } }),
      },
    ];
  });
}

/** Only where the whole argument is the secret, or what follows its `=`. */
function inArgs(server: NewServer): Clear[] {
  const args = server.args ?? [];
  const masked = maskArgs(args);
  return args.flatMap((arg, i) => {
    if (masked[i] === arg || isFilledIn(arg)) return [];
    const head = /^-{0,2}[A-Za-z_][\w.-]*=/.exec(arg)?.[0] ?? "";
    const value = arg.slice(head.length);
    const flag = (head || (args[i - 1] ?? "")).replace(/^-+|=$/g, "");
    return [
      {
        field: `args.${i}`,
        value,
        name: secretName(server.name, flag || `arg-${i}`),
        replace: (from: NewServer, by: string) => ({ ...from, args: (from.args ?? []).with(i, head + by) }),
      },
    ];
  });
}

/** It holds a reference already. */
const isFilledIn = (value: string) => /\$\{(?:env|keyring):[^}]*\}/.test(value);

function secretName(server: string, key: string): string {
  return `${server}-${key}`.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 100);
}
