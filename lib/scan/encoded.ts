import { excerpt } from "./excerpt.ts";
import type { Finding, Part } from "./finding.ts";

/** Most runs that are decoded of one text, and most of each that is read (characters). */
const MOST_RUNS = 200;
const MOST_READ = 8192;

interface Coding {
  name: string;
  pattern: RegExp;
  decode(run: string): string;
}

const CODINGS: readonly Coding[] = [
  {
    name: "hexadecimal",
    pattern:
      /(?<![0-9a-z])(?:0x)?(?:[0-9a-f]{2}){12,}(?![0-9a-z])|(?:[0-9a-f]{2}[ :]){12,}[0-9a-f]{2}|(?:\\x[0-9a-f]{2}){6,}/gi,
    decode: (run) => Buffer.from(run.replace(/^0x|\\x|[ :]/gi, ""), "hex").toString("utf8"),
  },
  {
    name: "base64",
    pattern: /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{16,}={0,2}/g,
    decode: (run) => Buffer.from(run, "base64").toString("utf8").replaceAll("\u0000", ""),
  },
  {
    name: "percent",
    pattern: /(?:%[0-9a-f]{2}){6,}|(?:[\w.,;:!?/@-]{0,40}%[0-9a-f]{2}){3,}[\w.,;:!?/@-]{0,40}/gi,
    decode: (run) =>
      Buffer.from(
        run.replace(/%([0-9a-f]{2})|[^%]/gi, (one, hex?: string) => hex ?? hexOf(one)),
        "hex",
      ).toString("utf8"),
  },
  {
    name: "escape",
    pattern: /(?:\\u\{?[0-9a-f]{4,5}\}?|&#x?[0-9a-f]{2,5};){6,}/gi,
    decode: (run) =>
      run.replace(
        /\\u\{?([0-9a-f]{4,5})\}?|&#x([0-9a-f]{2,5});|&#(\d{2,5});/gi,
        (_, u?: string, x?: string, d?: string) =>
          String.fromCodePoint(d ? Number(d) : Number.parseInt(u ?? x ?? "20", 16)),
      ),
  },
];

/**
 * Runs that decode to readable text (rule `encoded.*`). Text that gives orders is the worst finding there is: it was
 * hidden from people on purpose. Other readable text is worth a look in prose, and nothing special among examples.
 *
 * @param orders the findings that the decoded text would give if it stood there in plain
 */
export function encodedIn({ location, text, kind }: Part, orders: (decoded: string) => Finding[]): Finding[] {
  const found: Finding[] = [];
  let runs = 0;
  for (const { name, pattern, decode } of CODINGS) {
    for (const { 0: run, index } of text.matchAll(pattern)) {
      if (runs++ >= MOST_RUNS) return found;
      const decoded = readable(decode(run.slice(0, MOST_READ)));
      if (decoded === undefined) continue;
      const said = orders(decoded);
      const grave = said.find(({ severity }) => severity !== "low" && severity !== "info");
      if (grave)
        found.push({
          rule: "encoded.orders",
          severity: "critical",
          location,
          excerpt: `${excerpt(text, index, 60)} (says: ${excerpt(decoded)})`,
          explanation: `${name} text that gives orders (${grave.rule})`,
        });
      else if (kind === "prose" && decoded.includes(" ") && name !== "percent" && !/[{<]/.test(decoded[0]!))
        found.push({
          rule: "encoded.text",
          severity: "low",
          location,
          excerpt: `${excerpt(text, index, 60)} (says: ${excerpt(decoded, 0, 100)})`,
          explanation: `${name} text`,
        });
    }
  }
  return found;
}

/** Decoded text when it is text a person could read; data is not. */
function readable(decoded: string): string | undefined {
  if (decoded.length < 8) return undefined;
  const head = decoded.slice(0, 400);
  const printable = head.match(/[\p{L}\p{N}\p{P}\p{S} \t\r\n]/gu)?.length ?? 0;
  if (printable < head.length * 0.95 || head.includes("\ufffd")) return undefined;
  const letters = head.match(/[a-z ]/gi)?.length ?? 0;
  return letters >= head.length * 0.6 ? decoded : undefined;
}

function hexOf(char: string): string {
  return Buffer.from(char).toString("hex");
}
