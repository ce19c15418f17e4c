import { maskBlobs } from "./entropy.ts";

/**
 * Rule (b): a value is secret by its own shape, wherever it stands (spec 000 §2.9 rule 4).
 *
 * Each row starts with its own letters and ends in one run of one class, or is bounded in length: nothing is tried
 * twice, so a hostile text of any size takes time in proportion to its length.
 */
const SHAPES = [
  // Cloud providers
  "(?:AKIA|ASIA|AROA|AIDA|AGPA|AIPA|ANPA|ANVA|ABIA|ACCA|APKA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])",
  "AIza[\\w-]{35}",
  "ya29\\.[\\w-]{20,}",
  "GOCSPX-[\\w-]{20,}",
  "dop_v1_[a-f0-9]{64}",
  "hvs\\.[\\w-]{20,}",
  // Source hosts and package registries
  "gh[pousr]_[A-Za-z0-9]{36,}",
  "github_pat_\\w{22,}",
  "gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt)-[\\w-]{20,}",
  "ATBB[A-Za-z0-9]{24,}",
  "ATATT3[\\w=-]{20,}",
  "npm_[A-Za-z0-9]{36,}",
  "pypi-[\\w-]{50,}",
  "dckr_pat_[\\w-]{20,}",
  // Payment, mail, chat, work
  "(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{16,}",
  "whsec_[A-Za-z0-9]{24,}",
  "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32,}",
  "sq0(?:atp|csp)-[\\w-]{20,}",
  "SG\\.[\\w-]{16,64}\\.[\\w-]{16,}",
  "key-[0-9a-f]{32}(?![0-9a-f])",
  "SK[0-9a-f]{32}(?![0-9a-f])",
  "xox[a-z]-[A-Za-z0-9-]{10,}",
  "xapp-[A-Za-z0-9-]{10,}",
  "(?:bot)?\\d{8,10}:[\\w-]{35,}",
  "[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}",
  "lin_api_[A-Za-z0-9]{32,}",
  "(?:ntn|secret)_[A-Za-z0-9]{40,}",
  "figd_[\\w-]{30,}",
  "glsa_\\w{30,}",
  // Model providers
  "sk-[\\w-]{20,}",
  "xai-[A-Za-z0-9]{40,}",
  "gsk_[A-Za-z0-9]{40,}",
  "hf_[A-Za-z0-9]{30,}",
  "api_org_[A-Za-z0-9]{30,}",
  "r8_[A-Za-z0-9]{30,}",
  "pplx-[A-Za-z0-9]{40,}",
  "fw_[A-Za-z0-9]{20,}",
  "esecret_[A-Za-z0-9]{20,}",
  // Their letters and digits are so few that only their beginnings tell them
  "dapi[0-9a-f]{32}(?![0-9a-f])",
  "sbp_[0-9a-f]{40}(?![0-9a-f])",
  "PMAK-[0-9a-f]{24}-[0-9a-f]{34}",
  "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}",
  "rubygems_[0-9a-f]{48}",
  "pul-[0-9a-f]{40}(?![0-9a-f])",
  "sq[apu]_[0-9a-f]{40}(?![0-9a-f])",
  "bk(?:ua|ct|aj)_[A-Za-z0-9]{36,}",
  "NR(?:AK|II|JS|RA|AL)-[A-Za-z0-9]{20,}",
  "sntry[su]_[\\w+/-]{40,}",
  "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}",
  "pat-(?:na|eu)\\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
  "access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
  "oy2[a-z0-9]{43}(?![A-Za-z0-9])",
  "dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}",
  "napi_[a-z0-9]{60,}",
  "pn[bu]_[A-Za-z0-9]{36,}",
  "do[or]_v1_[a-f0-9]{64}",
  // This program's own agent tokens; encryption keys; JSON web tokens
  "mcp_agt_[\\w-]{16,}",
  "AGE-SECRET-KEY-1[0-9A-Z]{50,}",
  // Near the beginning of its run: a run of many such beginnings would be read anew for each.
  "(?:(?<![\\w-])|(?<=(?<![\\w-])[\\w-]{0,32}[_-]))eyJ[\\w-]{8,}(?:\\.[\\w-]+){2,4}",
];

const ANY = new RegExp(`(?<![A-Za-z0-9])(?:${SHAPES.join("|")})`, "g");
const RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}/g;
/** The password of a Go database address: `app:secret@tcp(host:3306)/db`. */
const GO_DSN = /(?<![\w.-])([\w.-]{1,64}:)([^\s@/]{1,128})(?=@(?:tcp|unix)\()/g;
/** The password of an address inside another value. */
const USERINFO = /(:\/\/[^\s:@/]{0,256}:)([^\s@/]{1,256})(?=@)/g;

/** Replaces every piece of a text that has the shape of a secret. */
export function maskShapes(text: string, mask: (secret: string) => string): string {
  const keyless = maskKeyBlocks(text, mask);
  const open = /@(?:tcp|unix)\(/.test(keyless);
  return (open ? keyless.replace(GO_DSN, (_, head: string, secret: string) => head + mask(secret)) : keyless)
    .replace(ANY, mask)
    .replace(RUN, (run) => maskBlobs(run, mask));
}

/** Whether a text holds the shape of a secret anywhere; an address with a password is one. */
export function holdsShape(text: string): boolean {
  return text.search(USERINFO) >= 0 || maskShapes(text, () => "•") !== text;
}

const BEGIN = "-----BEGIN ";

/** PEM and PGP private keys, from their first line to their last; to the end of the text when the last is missing. */
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
