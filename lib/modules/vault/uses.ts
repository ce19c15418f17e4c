import type { App } from "../../core/app.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import { pathText } from "../../core/base/path.ts";

/** A place in the configuration that refers to a secret or a variable. */
export interface Use {
  /** The server; absent for a setting of the proxy. */
  server?: string;
  /** Path within the server, or within the document. */
  field: string;
}

/** One secret or variable that the configuration refers to. */
export interface Reference {
  /** The text of the reference: `${keyring:NAME}`. */
  text: string;
  kind: "keyring" | "env";
  name: string;
  uses: Use[];
}

const PATTERN = /\$\{(keyring|env):([^}]*)\}/g;

/** Every reference in the configuration, in document order, with the places that use it. */
export function references({ config }: Pick<App, "config">): Reference[] {
  const found = new Map<string, Reference>();
  const visit = (value: unknown, path: (string | number)[], server: string | undefined): void => {
    if (typeof value === "string") {
      for (const [text, kind, name] of value.matchAll(PATTERN)) {
        const reference = found.get(text) ?? { text, kind: kind as Reference["kind"], name: name!, uses: [] };
        const field = pathText(path);
        if (!reference.uses.some((use) => use.server === server && use.field === field))
          reference.uses.push({ ...(server !== undefined && { server }), field });
        found.set(text, reference);
      }
      return;
    }
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, [...path, index], server);
      return;
    }
    if (isJsonObject(value)) for (const [key, member] of Object.entries(value)) visit(member, [...path, key], server);
  };
  const { mcpServers, ...settings } = config.current();
  visit(settings, [], undefined);
  for (const server of mcpServers) visit(server, [], server.name);
  return [...found.values()];
}

/** The places that use one secret. */
export function usesOf(app: Pick<App, "config">, name: string): Use[] {
  return references(app).find((reference) => reference.kind === "keyring" && reference.name === name)?.uses ?? [];
}
