import { maskJson } from "./json.ts";
import { maskServer } from "./record.ts";

type Json = Readonly<Record<string, unknown>>;

/** Keys whose members name things; what they name must be found by them. */
const NAMES = new Set(["profiles"]);

/**
 * A checked configuration document as it may be shown: a copy with every secret masked, servers by the rules for
 * servers (spec 000 §2.9). No setting reveals them here.
 */
export function maskConfig<T extends Json>(document: T): T {
  const entries = Object.entries(document).map(([key, value]) => {
    if (NAMES.has(key)) return [key, value];
    if (key === "mcpServers" && Array.isArray(value)) return [key, value.map(maskServer)];
    // Under its own name, so that the name counts.
    return Object.entries(maskJson({ [key]: value }))[0]!;
  });
  return Object.fromEntries(entries) as T;
}
