import { excerpt } from "../../../core/base/excerpt.ts";
import type { RuleFinding, ScannedText } from "../../../core/schema/rule-finding.ts";
import { Clause, type Place } from "./clause.ts";
import type { Decoded } from "./codes.ts";
import { normalised } from "./normalise.ts";
import { NO_TOPIC, type Topic } from "./topic.ts";

const HIDDEN: Place = { opening: false, returned: false, parameter: false, value: false };

/**
 * Reports text that is present only in encoded form (rule `encoded.*`). Hidden orders are the most severe finding,
 * because somebody hid them from people on purpose. Other readable text is suspicious in prose and normal in examples.
 *
 * @param decodings the decoded forms of the text
 * @param orders the findings in a decoded text
 */
export function* encodedIn(
  { location, text, kind }: ScannedText,
  decodings: readonly Decoded[],
  topic: Topic,
  orders: (decoded: string) => Generator<void, readonly RuleFinding[]>,
): Generator<void, RuleFinding[]> {
  const found: RuleFinding[] = [];
  const plainly = new Set<string>();
  let plain: readonly RuleFinding[] | undefined;
  for (const { code, text: decoded, at } of decodings) {
    const findings = yield* orders(decoded);
    let grave = findings.find(({ severity }) => severity !== "low" && severity !== "info");
    // An order that the text also contains in plain form is not hidden.
    if (grave && /letters$/.test(code))
      grave = findings.find(({ severity }) => severity === "high" || severity === "critical");
    if (grave && WHOLE.test(code)) {
      plain ??= yield* orders(text);
      for (const { rule } of plain) plainly.add(rule);
      grave = findings.find(
        ({ rule, severity }) =>
          severity !== "low" &&
          severity !== "info" &&
          !plainly.has(rule) &&
          (severity !== "medium" || !/letters$/.test(code)),
      );
    }
    const excerptText = `${excerpt(text, at, 60)} (says: ${excerpt(decoded)})`;
    if (grave)
      found.push({
        rule: "encoded.orders",
        severity: "critical",
        location,
        excerpt: excerptText,
        explanation: `encoded text (${code}) that contains instructions (${grave.rule})`,
      });
    else if (kind === "prose" && !WHOLE.test(code) && decoded.includes(" ") && !/[{<]/.test(decoded[0]!)) {
      const acts =
        sayDo(decoded) &&
        !topic.concepts.has("describe") &&
        !/\b(?:e\.g\.|such as|example|gives|becomes|like)\b|→|=>/i.test(text.slice(Math.max(0, at - 60), at));
      found.push({
        rule: "encoded.text",
        severity: acts ? "medium" : "low",
        location,
        excerpt: excerptText,
        explanation: `encoded text (${code})`,
      });
    }
  }
  return found;
}

/** Encodings that are decoded for a text as a whole, including its plain parts. */
const WHOLE = /letters|character codes|words|alphabet|reversed/;

/** Whether the text is a sentence of several words that demands an action. */
function sayDo(decoded: string): boolean {
  if (decoded.trim().split(/\s+/).length < 4 && !/[\u3040-\u9fff]/.test(decoded)) return false;
  const c = new Clause(normalised(decoded), NO_TOPIC, HIDDEN);
  return (["send", "put", "read", "collect", "call", "run", "ignore", "change", "destroy", "conceal"] as const).some(
    (act) => c.has(act),
  );
}
