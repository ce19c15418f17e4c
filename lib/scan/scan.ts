import type { ToolDefinition } from "../shape/tool.ts";
import { confusableIn } from "./confusable.ts";
import { ALONE, crossOf, type Mention, mentionsIn, type Surroundings } from "./cross.ts";
import { encodedIn } from "./encoded.ts";
import { excerpt } from "./excerpt.ts";
import { type Finding, type Part, type ScanReport, type Severity, sumUp, worst } from "./finding.ts";
import { layoutOf } from "./layout.ts";
import { lettersOf, normalised, sentences, spelt } from "./normalise.ts";
import { partsOf } from "./parts.ts";
import { DISGUISED, describesAttacks, PHRASES, Sentence } from "./phrases.ts";
import { hiddenIn } from "./unicode.ts";

export type { Surroundings } from "./cross.ts";
export type { Finding, ScanReport, ScanVerdict, Severity } from "./finding.ts";

/** What a text holds by itself, whatever tools there are besides it. Made once for each text. */
export interface Examined {
  readonly findings: readonly Finding[];
  /** Names in it that may be those of tools. */
  readonly mentions: readonly Mention[];
  readonly complete: boolean;
}

/** Findings beyond which a text is not read on; it is bad enough. */
const ENOUGH = 300;
/** Longest instructions of a server that are read (characters). */
const MOST_INSTRUCTIONS = 256 * 1024;

/**
 * Examines everything of a tool that a model reads for what poisons it: hidden characters, orders to the model, requests
 * for secrecy, leads for data to get out, encoded texts, look-alike names (spec 001 §3). Offline, pure, and linear in the
 * length of the texts.
 */
export function examine(tool: ToolDefinition): Examined {
  const { parts, complete } = partsOf(tool);
  const examined = examineParts(parts, complete);
  const { annotations } = tool;
  if (annotations?.readOnlyHint !== true || annotations.destructiveHint !== true) return examined;
  const contradiction: Finding = {
    rule: "annotations.contradiction",
    severity: "low",
    location: "annotations",
    excerpt: "readOnlyHint: true, destructiveHint: true",
    explanation: "said to be read-only and destructive at once",
  };
  return { ...examined, findings: [...examined.findings, contradiction] };
}

/** The same for the instructions that a server gives at `initialize`. */
export function examineInstructions(instructions: string): Examined {
  const text = instructions.slice(0, MOST_INSTRUCTIONS);
  return examineParts([{ location: "instructions", text, kind: "prose" }], text.length === instructions.length);
}

/** What was examined, judged among the tools that there are now. */
export function reportOf({ findings, mentions, complete }: Examined, around: Surroundings = ALONE): ScanReport {
  const cross = around.foreign.size === 0 ? [] : crossOf(mentions, around);
  return sumUp(cross.length === 0 ? findings : worst([...findings, ...cross]), complete);
}

function examineParts(parts: readonly Part[], complete: boolean): Examined {
  const findings: Finding[] = [];
  const mentions: Mention[] = [];
  let read = complete;
  for (const part of parts) {
    findings.push(...hiddenIn(part), ...confusableIn(part), ...layoutOf(part));
    findings.push(...encodedIn(part, (decoded) => ordersIn({ ...part, kind: "prose", text: decoded }, [])));
    findings.push(...ordersIn(part, mentions));
    if (findings.length <= ENOUGH) continue;
    read = false;
    break;
  }
  return { findings: worst(findings), mentions, complete: read };
}

/** What the sentences of a text say to a model. */
function ordersIn({ location, text, kind }: Part, mentions: Mention[]): Finding[] {
  const findings: Finding[] = [];
  const said = new Set<string>();
  const plain = kind === "name" ? text.replace(/[_.-]+/g, " ") : text;
  for (const { sentence } of sentences(plain)) {
    const s = new Sentence(normalised(sentence), spelt(sentence));
    const quoted = describesAttacks(s.text);
    const add = (rule: string, severity: Severity, explanation: string) => {
      said.add(rule);
      findings.push({
        rule,
        severity: !quoted ? severity : severity === "critical" ? "medium" : "info",
        location,
        excerpt: excerpt(sentence),
        explanation: quoted ? `${explanation}; it seems to speak of that rather than to do it` : explanation,
      });
    };
    for (const { rule, severity, explanation, when } of PHRASES)
      if (!said.has(rule) && when(s)) add(rule, severity, explanation);
    if (!said.has("instruction.override") && !said.has(DISGUISE) && DISGUISED.test(lettersOf(s.text)))
      add(DISGUISE, "critical", "orders to the model, written so that a filter does not see them");
    if (kind === "prose") mentionsIn(sentence, s, location, mentions);
  }
  return findings;
}

const DISGUISE = "instruction.disguised";
