import { foldText } from "./invisible.ts";

/** A run of characters that encodes a text: base64 (either alphabet) or hexadecimal digits. */
interface EncodedRun {
  start: number;
  end: number;
  /** The decoded text. */
  text: string;
}

/**
 * Runs can span lines, as programs break long ones. The minimum length is that of an encoded path such as
 * `/etc/shadow`.
 */
const RUN = /[A-Za-z0-9+/_-]{16,}(?:\r?\n[A-Za-z0-9+/_-]{2,})*={0,2}/g;
const HEX = /^(?:[0-9a-f]{2})+$/i;
const ESCAPE = /(?:%[0-9a-f]{2})+|(?:\\u[0-9a-f]{4})+|(?:\\x[0-9a-f]{2})+|(?:&#(?:\d{1,6}|x[0-9a-f]{1,5});)+/gi;
/** Bytes count as text if at least this share of them are letters, digits, punctuation or white space. */
const TEXT_SHARE = 0.9;
/** Maximum number of nested encodings that are decoded. */
const DEPTH = 3;

/** The runs of a text that encode another text. */
export function encodedRuns(text: string): EncodedRun[] {
  const runs: EncodedRun[] = [];
  for (const match of text.matchAll(RUN)) {
    const start = match.index;
    const decoded = decodeRun(match[0]);
    if (decoded !== "") {
      runs.push({ start, end: start + match[0].length, text: decoded });
      continue;
    }
    // The lines are probably unrelated, so each is tried separately.
    if (!match[0].includes("\n")) continue;
    for (const line of match[0].matchAll(/[^\r\n]{16,}/g)) {
      const decoded = decodeRun(line[0]);
      if (decoded !== "")
        runs.push({ start: start + line.index, end: start + line.index + line[0].length, text: decoded });
    }
  }
  return runs;
}

/**
 * All other readings of a text: without invisible characters, with escapes resolved (percent, `\u`, `\x`, HTML
 * character references), and decoded. Each is applied to the results of the others, up to `DEPTH` levels.
 */
export function readings(text: string, depth = DEPTH): string[] {
  const folded = foldText(text);
  const resolved = foldText(folded.replace(ESCAPE, unescapeRun));
  const others = [folded, resolved].filter((one, i, all) => one !== text && all.indexOf(one) === i);
  if (depth > 0) for (const run of encodedRuns(resolved)) others.push(run.text, ...readings(run.text, depth - 1));
  return others;
}

/** Decodes a run; empty if the result is not readable text. */
function decodeRun(run: string): string {
  if (HEX.test(run)) return textIn(Buffer.from(run, "hex"));
  const encoded = run.includes("\n") ? run.replace(/[\r\n]/g, "") : run;
  // A fragment of a longer base64 text can start at any of four offsets.
  for (let skip = 0; skip < 4; skip++) {
    const decoded = textIn(Buffer.from(skip === 0 ? encoded : encoded.slice(skip), "base64"));
    if (decoded !== "") return decoded;
  }
  return "";
}

function textIn(bytes: Buffer): string {
  if (bytes.length < 8) return "";
  const isWide = bytes[1] === 0 && bytes[3] === 0 && bytes[5] === 0;
  if (isWide) return bytes.toString("utf16le");
  let readable = 0;
  for (const byte of bytes) if ((byte >= 32 && byte < 127) || (byte >= 9 && byte <= 13)) readable++;
  return readable >= TEXT_SHARE * bytes.length ? bytes.toString("utf8") : "";
}

function unescapeRun(run: string): string {
  if (run.startsWith("%")) return Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8");
  if (run.startsWith("&"))
    return run.replace(/&#(x?)([0-9a-f]+);/gi, (_, x: string, n: string) => character(n, x ? 16 : 10));
  return run.replace(/\\[ux]([0-9a-f]+)/gi, (_, n: string) => character(n, 16));
}

function character(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
