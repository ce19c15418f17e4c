import { isJsonObject } from "../../base/json-object.ts";
import { maskJson } from "./json.ts";
import { maskServer } from "./server.ts";

type Json = Readonly<Record<string, unknown>>;

/** Settings whose members are names. If they were masked, nobody could find them. */
const NAMES = new Set(["profiles"]);

/**
 * Copies a checked configuration with every secret masked, the servers by the rules for servers (spec 000 §2.9). The
 * setting `reveal_secret_headers` has no effect here.
 */
export function maskConfig<T extends Json>(document: T): T {
  const entries = Object.entries(document).map(([key, value]) => {
    if (NAMES.has(key)) return [key, value];
    if (key === "mcpServers" && Array.isArray(value)) return [key, value.map(maskServer)];
    // The value is masked together with its name, so that the rule for names applies.
    const [masked] = Object.entries(maskJson({ [key]: value }));
    return key === "server_edition" ? [key, edition(value, masked![1])] : masked!;
  });
  return Object.fromEntries(entries) as T;
}

/** Replaces the key completely: even its last characters and its length stay hidden (spec 001 §2.6). */
const UNREADABLE = "••••";

/**
 * Masks the settings of the multi-user edition. Nobody may read the key. The setting about cookies is not a secret,
 * although its name looks like one.
 */
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
