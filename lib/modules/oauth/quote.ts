import { scrubText } from "../../core/secrets/mask/text.ts";

const MAX_QUOTE_CHARACTERS = 200;

/** What a sign-in server said, as it may be shown and logged: short, on one line, without any of `secrets`. */
export function quote(text: string, secrets: readonly (string | undefined)[]): string {
  let plain = text;
  for (const secret of secrets) if (secret) plain = plain.replaceAll(secret, "••••");
  plain = scrubText(plain.replace(/[\p{Cc}\s]+/gu, " ")).trim();
  return plain.length > MAX_QUOTE_CHARACTERS ? `${plain.slice(0, MAX_QUOTE_CHARACTERS)}…` : plain;
}
