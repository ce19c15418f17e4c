import { TOKEN_SHAPES } from "../token-shapes.ts";
import { maskHighEntropy } from "./entropy.ts";

/** The second rule for secrets: a value is secret because of its form, wherever it occurs (spec 000 §2.9 rule 4). */
const MASKED = TOKEN_SHAPES.flatMap(({ masked }) => masked || []);
const ANY = new RegExp(`(?<![A-Za-z0-9])(?:${MASKED.join("|")})`, "g");
const RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}/g;
/** The password in a database address of Go: `app:secret@tcp(host:3306)/db`. */
const GO_DSN = /(?<![\w.-])([\w.-]{1,64}:)([^\s@/]{1,128})(?=@(?:tcp|unix)\()/g;
/** The password in a URL inside another text. */
const USERINFO = /(:\/\/[^\s:@/]{0,256}:)([^\s@/]{1,256})(?=@)/g;

/** Replaces every part of a text that has the form of a secret. */
export function maskShapes(text: string, mask: (secret: string) => string): string {
  const keyless = maskKeyBlocks(text, mask);
  const open = /@(?:tcp|unix)\(/.test(keyless);
  return (open ? keyless.replace(GO_DSN, (_, head: string, secret: string) => head + mask(secret)) : keyless)
    .replace(ANY, mask)
    .replace(RUN, (run) => maskHighEntropy(run, mask));
}

/** True if a text contains anything with the form of a secret, such as a URL with a password. */
export function containsSecretShape(text: string): boolean {
  return text.search(USERINFO) >= 0 || maskShapes(text, () => "•") !== text;
}

const BEGIN = "-----BEGIN ";

/**
 * Masks PEM and PGP private keys from their first line to their last, or to the end of the text if the last is missing.
 */
export function maskKeyBlocks(text: string, mask: (secret: string) => string): string {
  let out = "";
  let from = 0;
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, at + 1)) {
    if (at < from || !text.slice(at, at + 64).includes("PRIVATE KEY")) continue;
    const last = text.indexOf("-----END ", at);
    const close = last < 0 ? -1 : text.indexOf("-----", last + 9);
    const end = close < 0 ? text.length : close + 5;
    out += text.slice(from, at) + mask(text.slice(at, end));
    from = end;
  }
  return out + text.slice(from);
}
