import { isJsonObject } from "../../base/json-object.ts";
import { maskJson } from "./json.ts";
import { maskServer } from "./server.ts";

type Json = Readonly<Record<string, unknown>>;

/** Keys whose members are names; masked names could no longer be found. */
const NAMES = new Set(["profiles"]);

/**
 * Copies a checked configuration document with every secret masked; servers follow the rules for servers (spec 000
 * §2.9). No setting reveals secrets here.
 */
export function maskConfig<T extends Json>(document: T): T {
  const entries = Object.entries(document).map(([key, value]) => {
    if (NAMES.has(key)) return [key, value];
    if (key === "mcpServers" && Array.isArray(value)) return [key, value.map(maskServer)];
    // Masked together with its name, so that the rule for names applies.
    const [masked] = Object.entries(maskJson({ [key]: value }));
    return key === "server_edition" ? [key, edition(value, masked![1])] : masked!;
  });
  return Object.fromEntries(entries) as T;
}

/** Replaces a key whose last characters and length must stay hidden as well (spec 001 §2.6). */
const UNREADABLE = "••••";

/** Masks the multi-user settings: the key is never readable, and the cookie switch is not a secret. */
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
