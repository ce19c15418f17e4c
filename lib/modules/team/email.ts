/** Longest address that mail can be sent to (RFC 5321, with RFC 3696 erratum 1690), in UTF-16 units. */
const MAX_EMAIL = 254;

/**
 * Why a text is no address that a person could be known by; undefined when it is one. What could be read as another
 * address is refused rather than changed: compatibility characters, controls, and whatever does not show.
 */
export function emailFault(text: string): string | undefined {
  if (text.length > MAX_EMAIL) return `is longer than ${MAX_EMAIL} characters`;
  if (/\s/u.test(text)) return "contains white space";
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(text)) return "contains control or invisible characters";
  if (text.normalize("NFKC") !== text)
    return "is not in the Unicode form NFKC, so it could be mistaken for another address";
  return undefined;
}

/** An address for comparing, as nearly every mail system compares; only ASCII letters have one lower case everywhere. */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
