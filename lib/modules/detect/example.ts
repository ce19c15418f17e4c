/** Values that documentation and test systems publish. */
const KNOWN = new Set(
  (
    "4111111111111111 4012888888881881 4222222222222 4242424242424242 4000056655665556 4000000000000002 " +
    "4000000000009995 5555555555554444 5105105105105100 5200828282828210 2223003122003222 378282246310005 " +
    "371449635398431 378734493671000 6011111111111117 6011000990139424 30569309025904 38520000023237 " +
    "36227206271667 3530111333300000 3566002020360505 6200000000000005 4917610000000000 6304000000000000 " +
    "DE89370400440532013000 GB82WEST12345698765432 GB29NWBK60161331926819 FR1420041010050500013M02606 " +
    "NL91ABNA0417164300 BE68539007547034 ES9121000418450200051332 CH9300762011623852957 IT60X0542811101000000123456 " +
    "AT611904300234573201 SE4550000000058398257466 PL61109010140000071219812874 NO9386011117947 DK5000400440116243"
  ).split(" "),
);

const PLACEHOLDER =
  /example|sample|dummy|placeholder|change[_-]?me|replace[_-]?me|insert[_-]?|redacted|your[_-]?|not[_-]?a[_-]?real|fake|xxxx|\*\*\*|\.\.\.|0{8}|1234567890|abcdefgh|deadbeef/i;

/** Passwords that documentation uses as placeholders. */
const STAND_IN =
  /:\/\/[^:@/]{0,128}:(?:pass(?:word|wd)?|pwd|secret|user(?:name)?|root|admin|postgres|mysql|redis|guest|test|db_?pass(?:word)?|•{4}\S{0,20})@/i;

/** The payload of the example token in many introductions to JWT. */
const KNOWN_JWT = "eyJzdWIiOiIxMjM0NTY3ODkwIi";

/** Whether a value looks like an example from documentation rather than a real credential. */
export function isLikelyExample(value: string): boolean {
  if (KNOWN.has(value.replace(/[\s.-]/g, ""))) return true;
  if (PLACEHOLDER.test(value) || STAND_IN.test(value) || value.includes(KNOWN_JWT)) return true;
  // The value repeats a few characters.
  return value.length >= 12 && new Set(value.slice(-Math.min(24, value.length - 4))).size <= 4;
}
