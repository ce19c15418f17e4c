/** Longest excerpt (characters, before invisible ones are escaped). */
const MAX_EXCERPT_CHARACTERS = 160;

/** Invisible characters, and characters that change how the text around them is displayed. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\p{Variation_Selector}|\p{Cs}|\u034f|\u17b4|\u17b5/gu;

/**
 * Cuts a piece of text that is safe to display: control and invisible characters become `<U+200B>`, white space becomes
 * one space.
 *
 * @param at where the interesting part begins (UTF-16 offset)
 */
export function excerpt(text: string, at = 0, length = MAX_EXCERPT_CHARACTERS): string {
  const from = Math.max(0, Math.min(at, text.length) - 20);
  const to = Math.min(text.length, from + length);
  const visible = escapeInvisible(text.slice(from, to).replace(/[ \t\r\n]{2,}|[\t\r\n]/g, " "));
  return `${from > 0 ? "…" : ""}${visible.slice(0, 2 * MAX_EXCERPT_CHARACTERS)}${to < text.length ? "…" : ""}`;
}

/** Writes control and invisible characters as `<U+200B>`. The result is at most eleven times as long. */
export function escapeInvisible(text: string): string {
  return text.replace(UNSEEN, (char) => `<U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`);
}
