import { excerpt } from "../../../core/base/excerpt.ts";
import type { RuleFinding, ScannedText } from "../../../core/schema/rule-finding.ts";

/** Letters of other alphabets that look like Latin ones, each followed by the Latin letter. */
const LOOKALIKES =
  "аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwкkмmтtвbнhгrпnѵvӏlАAВBЕEКKМMНHОOРPСCТTХXІIЈJЅSУYΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoνvαaιiκkρpυuτtγyχxηnεeωwσoɡgıiɩiℓlօoսuհhոnցgզqաwաwƖlǃ!";

const FOLD = new Map(Array.from(LOOKALIKES.matchAll(/(.)(.)/g), ([, letter, looksLike]) => [letter!, looksLike!]));
const FOREIGN = /[\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u0261\u0131\u0269\u2113\u0196\u01c3]/g;

/** Replaces look-alike letters by the Latin letters that they imitate. */
export function foldLookalikes(text: string): string {
  return text.replace(FOREIGN, (char) => FOLD.get(char) ?? char);
}

const LATIN = /[a-z]/i;
const LETTER_OF_OTHERS = /[\u0370-\u03ff\u0400-\u052f\u0530-\u058f]/;
const ALPHABETS = /[a-z]*[\u0370-\u03ff\u0400-\u052f\u0530-\u058f][a-z\u0370-\u03ff\u0400-\u052f\u0530-\u058f]*/gi;
const WIDE = /[\uff21-\uff3a\uff41-\uff5a]|[\u{1d400}-\u{1d7ff}]/u;

/**
 * Finds names and words that mix alphabets (rule `confusable.*`). In a name, one look-alike letter suffices. In prose,
 * a word must contain Latin letters and look-alikes but no clearly foreign letter, so that μs, Δt and α are not
 * reported.
 */
export function confusableIn({ location, text, kind }: ScannedText): RuleFinding[] {
  if (kind === "value") return [];
  const found: RuleFinding[] = [];
  const add = (rule: string, severity: RuleFinding["severity"], at: number, explanation: string, plainly: string) =>
    found.push({
      rule,
      severity,
      location,
      excerpt: `${excerpt(text, at, 80)} (reads as: ${excerpt(plainly, at, 80)})`,
      explanation,
    });
  let words = 0;
  let first = -1;
  if (LETTER_OF_OTHERS.test(text))
    for (const { 0: word, index } of text.matchAll(ALPHABETS)) {
      if (!isDisguised(word)) continue;
      words++;
      if (first < 0) first = index;
    }
  if (words > 0)
    add(
      "confusable.letters",
      kind === "name" || words > 1 ? "critical" : "medium",
      first,
      `${words} word(s) with letters of another alphabet that look like Latin ones`,
      foldLookalikes(text),
    );
  const wide = kind === "name" ? text.search(WIDE) : -1;
  if (wide >= 0) add("confusable.forms", "high", wide, "letters of another form than usual", text.normalize("NFKC"));
  if (kind === "name" && swapped(text))
    add("confusable.capital", "high", 0, "a capital I in place of a small l", text.replaceAll("I", "l"));
  return found;
}

/** Converts words that mix alphabets to Latin letters; words in one other alphabet remain. */
export function undisguised(text: string): string {
  return LETTER_OF_OTHERS.test(text)
    ? text.replace(ALPHABETS, (word) => (isDisguised(word) ? foldLookalikes(word) : word))
    : text;
}

function isDisguised(word: string): boolean {
  if (!LATIN.test(word)) return false;
  const others = word.match(new RegExp(LETTER_OF_OTHERS, "g")) ?? [];
  return word.length > 2 && others.every((char) => FOLD.has(char));
}

const VERBS_WITH_L =
  /\b(?:deIete|Iist|puII|caII|cIear|cIose|instaII|kiII|poII|upIoad|downIoad|repIace|repIy|seIect|fiIe|emaiI|maiI|tooI|vauIt)/;

/**
 * Whether a name has a capital I in place of an l, in a word that is common in tool names. In other words, a capital
 * letter can be camelCase.
 */
function swapped(name: string): boolean {
  return VERBS_WITH_L.test(name.replaceAll("_", " "));
}
