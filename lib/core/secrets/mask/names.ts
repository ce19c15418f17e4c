/**
 * The first rule for secrets: a value is secret because of its name (spec 000 §2.9 rule 4). Names are split into words,
 * so that `GITHUB_TOKEN`, `githubToken` and `--github-token` are equal, and `KEYBOARD` and `AUTHOR` are not secret.
 */

/** A name that contains one of these words is secret. */
const STRONG = new Set(
  "token secret secrets password passwords passwd pwd passphrase credential credentials cred creds apikey apikeys bearer cookie jwt authorization dsn".split(
    " ",
  ),
);
/**
 * These words make a name secret only together with another word (`api_key`); alone they are ambiguous (`key: value`).
 */
const WEAK = new Set("key keys pass auth cert private pat sig signature conn".split(" "));
/** A name that ends with one of these words describes a secret instead of containing it. */
const ABOUT = new Set(
  "limit count size length ttl budget type timeout usage encoding mode method status state enabled disabled required expiry expires expired at name url uri endpoint file path dir folder metrics stats info metadata provider source".split(
    " ",
  ),
);
/** After one of these words "key" is not a credential, as in `primary_key`. */
const HARMLESS = new Set("public primary foreign sort cache partition".split(" "));
const FUSED = /(?:token|secret|passw(?:or)?d|passphrase|(?:api|access|secret|private|auth)keys?|credentials?)$/;

/** Every secret name contains one of these strings, so most other names are recognised by this test alone. */
const STEMS = /token|secret|pass|pwd|cred|key|bearer|cookie|jwt|auth|dsn|cert|private|pat|sig|conn/i;

const HEADERS =
  /authorization|cookie|token|secret|apikey|password|credential|accesskey|privatekey|signature|bearer|jwt|auth$|key$/;

/** Secret query parameters in addition to the secret names; compared without letter case, `-` and `_`. */
const QUERY = new Set(
  "code sig signature assertion key keys pass auth pat samlresponse xamzcredential xamzsignature xamzsecuritytoken securitytoken sessiontoken".split(
    " ",
  ),
);

/** True if the value of a JSON member, or of a name in a log line, is secret. */
export function isSecretName(name: string): boolean {
  if (!STEMS.test(name)) return false;
  const parts = words(name);
  if (parts.length === 0 || ABOUT.has(parts.at(-1)!)) return false;
  if (parts.some((w) => STRONG.has(w))) return true;
  const flat = parts.join("");
  if (FUSED.test(flat) || flat.includes("connectionstring") || flat.includes("connstr")) return true;
  return parts.length > 1 && !HARMLESS.has(parts[0]!) && parts.some((w) => WEAK.has(w));
}

/**
 * True if the value of a variable (`KEY=…`) or command-line flag with this name is secret. More names are secret here
 * than for members of objects.
 */
export function isSecretVariable(name: string): boolean {
  if (!STEMS.test(name)) return false;
  const parts = words(name);
  return (parts.length === 1 && WEAK.has(parts[0]!)) || isSecretName(name);
}

/** True if the value of a header with this name is secret; letter case does not matter. */
export function isSecretHeader(name: string): boolean {
  return HEADERS.test(normal(name));
}

/**
 * True if the value of a query parameter is secret.
 *
 * @param name as written in the URL, percent-encoded or not
 */
export function isSecretQuery(name: string): boolean {
  const plain = percentDecoded(name);
  return QUERY.has(normal(plain)) || isSecretName(plain);
}

/** Returns the percent-decoded text, or the text itself if it cannot be decoded. */
export function percentDecoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function words(name: string): string[] {
  return name
    .slice(0, 256)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

function normal(name: string): string {
  return name
    .slice(0, 256)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
