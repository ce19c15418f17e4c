import { isJsonObject } from "../../base/merge.ts";
import { maskJson } from "./json.ts";
import { maskServer } from "./server.ts";

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
    const [masked] = Object.entries(maskJson({ [key]: value }));
    return key === "server_edition" ? [key, edition(value, masked![1])] : masked!;
  });
  return Object.fromEntries(entries) as T;
}

/** Stands for a key of which not even the end or the length may be read (spec 001 §2.6). */
const UNREADABLE = "••••";

/** The multi-user settings: whose key is never readable, and whose cookie switch is no secret. */
function edition(value: unknown, masked: unknown): unknown {
  if (!isJsonObject(value) || !isJsonObject(masked)) return masked;
  const { session_cookie_secure, credential_encryption_key: key } = value;
  const isWord = typeof session_cookie_secure === "string" && /^(?:auto|true|false)$/.test(session_cookie_secure);
  return {
    ...masked,
    ...(isWord && { session_cookie_secure }),
    ...(masked.credential_encryption_key !== key && { credential_encryption_key: UNREADABLE }),
  };
}
