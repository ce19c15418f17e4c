/** Longest address that mail can be sent to (RFC 5321, with RFC 3696 erratum 1690), in UTF-16 units. */
const MAX_EMAIL = 254;

/**
 * Why a text is not valid as a person's email address; undefined if it is. Characters that could make it look like
 * another address are rejected rather than converted: compatibility characters, control characters and invisible ones.
 */
export function emailFault(text: string): string | undefined {
  if (text.length > MAX_EMAIL) return `is longer than ${MAX_EMAIL} characters`;
  if (/\s/u.test(text)) return "contains white space";
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(text)) return "contains control or invisible characters";
  if (text.normalize("NFKC") !== text)
    return "is not in the Unicode form NFKC, so it could be mistaken for another address";
  return undefined;
}

/**
 * Normalises an address for comparison, as nearly every mail system does; only ASCII letters have the same lower case
 * everywhere.
 */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
