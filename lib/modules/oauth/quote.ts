import { scrubText } from "../../core/secrets/mask/text.ts";

const MAX_QUOTE_CHARACTERS = 200;

/**
 * Prepares an authorization server's text for display and logs: truncated, on one line, and without any of `secrets`.
 */
export function quote(text: string, secrets: readonly (string | undefined)[]): string {
  let plain = text;
  for (const secret of secrets) if (secret) plain = plain.replaceAll(secret, "••••");
  plain = scrubText(plain.replace(/[\p{Cc}\s]+/gu, " ")).trim();
  return plain.length > MAX_QUOTE_CHARACTERS ? `${plain.slice(0, MAX_QUOTE_CHARACTERS)}…` : plain;
}
