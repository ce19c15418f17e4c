/** Numbers with check digits. */

/** The first digits of each issuer, and the possible lengths of its cards. */
const ISSUERS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:36|38|39|30[0-5])/, [14]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:5018|5020|5038|6304|6759|676[1-3])/, [16, 18, 19]],
];

/** The groups of digits on printed cards. */
const GROUPS = /^(?:\d{4}(\D)\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{4}(\D)\d{6}\2\d{4,5})$/;

/**
 * Whether a text is a payment card number: an issuer's first digits, a length of that issuer, and a valid check digit
 * (Luhn). Separators must group the digits as on cards.
 */
export function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  if (digits.length !== text.length && !GROUPS.test(text)) return false;
  if (/^(\d)\1*$/.test(digits)) return false;
  return ISSUERS.some(([first, lengths]) => lengths.includes(digits.length) && first.test(digits)) && luhn(digits);
}

function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const twice = digit * 2;
    sum += i % 2 === 0 ? digit : twice > 9 ? twice - 9 : twice;
  }
  return sum % 10 === 0;
}

/** Length of an IBAN by country (ISO 13616). */
const IBAN_LENGTHS = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 " +
    "ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 " +
    "LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 " +
    "PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((row) => [row.slice(0, 2), Number(row.slice(2))]),
);

/** Whether a text is an IBAN: the length for its country, and valid check digits (ISO 7064, mod 97). */
export function isIban(text: string): boolean {
  const plain = text.replaceAll(" ", "");
  if (plain.length !== IBAN_LENGTHS.get(plain.slice(0, 2))) return false;
  let rest = 0;
  for (const character of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest === 1;
}
