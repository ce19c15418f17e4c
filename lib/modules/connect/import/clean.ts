import type { Reach } from "../client.ts";

/** Reduces a server's name to the characters allowed in a tool's identifier; empty if none remains. */
export function cleanName(name: string): string {
  return name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-._]+|[-._]+$/g, "")
    .slice(0, 64);
}

/** Placeholders in the syntax of the various clients. */
const VARIABLE = /\$\{\{\s*(?:secrets|inputs)\.([\w-]+)\s*\}\}|\$\{(?:(env|input|keyring):)?([\w.-]+)(:?-[^}]*)?\}/g;
/** Placeholders without the dollar sign, and references to files. */
const BRACED = /(?<!\$)\{(env|file):([^}]+)\}/g;
/** Placeholders in shell syntax: the complete value, or everything after a word such as `Bearer`. */
const DOLLAR = /^(\w+ )?\$([A-Z_][A-Z0-9_]*)$/;

interface Translated {
  reach: Reach;
  /** Notes for the person who imports. */
  remarks: string[];
}

/**
 * Translates the placeholders of clients into those of the proxy. `${NAME}`, `${env:NAME}`, `{env:NAME}` and, in
 * headers and variables, `$NAME` are read from the proxy's environment. Values that a client asks the person for, and
 * its secrets, become references to the keyring, where the person must store them.
 */
export function translate(reach: Reach): Translated {
  const remarks = new Set<string>();
  const text = (value: string) => {
    const plain = value.replace(BRACED, (whole, scope: string, name: string) => {
      if (scope === "env") return `\${env:${name.trim()}}`;
      remarks.add(`the proxy does not read the content of ${name}; enter the value instead of ${whole}`);
      return whole;
    });
    return plain.replace(
      VARIABLE,
      (reference, secret: string | undefined, scope: string | undefined, name = "", fallback = "") => {
        if (secret !== undefined || scope === "input") {
          const secretName = secret ?? name;
          remarks.add(`asks for "${secretName}"; set it with: proxy secrets set ${secretName}`);
          return `\${keyring:${secretName}}`;
        }
        if (scope === "keyring") return reference;
        if (scope === undefined && !/^[A-Z_][A-Z0-9_]*$/.test(name)) {
          remarks.add(`the variable \${${name}} is not supported`);
          return reference;
        }
        if (fallback !== "") remarks.add(`${name} has no default; set it in the environment of the proxy`);
        return `\${env:${name}}`;
      },
    );
  };
  const valued = (value: string) => text(value.replace(DOLLAR, (_, before = "", name) => `${before}\${env:${name}}`));
  const map = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, valued(value)]));
  const translated: Reach =
    reach.kind === "stdio"
      ? { ...reach, command: text(reach.command), args: reach.args.map(text), env: map(reach.env) }
      : { ...reach, url: text(reach.url), headers: map(reach.headers) };
  return { reach: translated, remarks: [...remarks] };
}
