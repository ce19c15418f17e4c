import type { ToolDefinition } from "../shape/tool.ts";

/** One thing a simple check noticed. Holds nothing of the text it was found in. */
export interface Finding {
  check: string;
  severity: "high" | "medium" | "low";
  /** Members of the definition it was found in. */
  in: string[];
  count: number;
  meaning: string;
}

/** Longest text looked at; the rest of a longer one is reported as overlong only (characters). */
const LOOK_MAX = 256 * 1024;

/** A description beyond this hides more than it says (characters). */
const OVERLONG = 2000;

interface Check {
  check: string;
  severity: Finding["severity"];
  meaning: string;
  pattern: RegExp;
}

const CHECKS: readonly Check[] = [
  {
    check: "instructions_to_the_model",
    severity: "high",
    meaning: "text that orders the model about instead of describing the tool",
    pattern:
      /\b(ignore|disregard|forget|override)\b.{0,40}\b(instructions?|rules?|prompts?|guidelines?)\b|<\/?\s*(important|system|secret|instructions?|hidden)\s*>|\bsystem prompt\b|\byou (must|should|have to) (always|first|also|never|not)\b|\bbefore (using|calling|invoking|running)\b.{0,40}\btools?\b/gis,
  },
  {
    check: "secrecy",
    severity: "high",
    meaning: "text that asks to keep something from the user",
    pattern:
      /\b(do not|don't|never|without)\b.{0,20}\b(tell|telling|inform|informing|mention|mentioning|reveal|show|notify|alert)\w*\b.{0,40}\b(user|human|person|anyone|them)\b/gis,
  },
  {
    check: "invisible_characters",
    severity: "high",
    meaning: "characters a person cannot see but a model reads",
    pattern:
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]/gu,
  },
  {
    check: "mixed_alphabets",
    severity: "medium",
    meaning: "words made of look-alike letters of several alphabets",
    pattern: /[a-z][\u0370-\u03ff\u0400-\u04ff]|[\u0370-\u03ff\u0400-\u04ff][a-z]/giu,
  },
  {
    check: "sensitive_files",
    severity: "high",
    meaning: "names of files that usually hold credentials",
    pattern:
      /\.ssh\b|\bid_(rsa|ed25519|ecdsa)\b|\.aws\b|\.netrc\b|\.npmrc\b|\.kube\b|\/etc\/(passwd|shadow)|\.env\b|\bmcp\.json\b|mcp_config/gi,
  },
  {
    check: "credentials",
    severity: "medium",
    meaning: "talk of passwords, keys or tokens",
    pattern:
      /\b(pass(word|wd|phrase)|api[ _-]?keys?|secrets?|credentials?|private[ _-]?keys?|(access|auth|bearer|session)[ _-]?tokens?|cookies?)\b/gi,
  },
  {
    check: "other_tools",
    severity: "medium",
    meaning: "text about when and how to use other tools",
    pattern:
      /\b(other|another|every|all|any) (mcp )?(tools?|servers?)\b|\bcall_tool_\w+|\binstead of (the )?\w+ tool\b/gi,
  },
  {
    check: "links",
    severity: "low",
    meaning: "addresses the model may be led to",
    pattern: /\b(https?|ftp|file|data|javascript):/gi,
  },
  {
    check: "encoded_text",
    severity: "medium",
    meaning: "long runs of encoded text",
    pattern: /[A-Za-z0-9+/=_-]{120,}/g,
  },
];

/** Definitions are replaced, never changed, so each is looked at once. */
const seen = new WeakMap<ToolDefinition, Finding[]>();

/** Runs the simple checks over everything a model would read of one tool. What they miss, a person has to see. */
export function analyse(tool: ToolDefinition): Finding[] {
  const before = seen.get(tool);
  if (before) return before;
  const findings = examine(tool);
  seen.set(tool, findings);
  return findings;
}

function examine(tool: ToolDefinition): Finding[] {
  const members = texts(tool);
  const findings = CHECKS.flatMap(({ check, severity, meaning, pattern }) => {
    const counts = members.map(([, text]) => text.slice(0, LOOK_MAX).match(pattern)?.length ?? 0);
    const count = counts.reduce((a, b) => a + b, 0);
    return count === 0
      ? []
      : [{ check, severity, in: members.flatMap(([m], i) => (counts[i] ? [m] : [])), count, meaning }];
  });
  if (tool.description.length > OVERLONG)
    findings.push(finding("overlong", "low", ["description"], "a very long description, easy to hide something in"));
  if (tool.annotations?.readOnlyHint === true && tool.annotations.destructiveHint === true)
    findings.push(finding("contradiction", "medium", ["annotations"], "said to be read-only and destructive at once"));
  return findings;
}

function finding(check: string, severity: Finding["severity"], at: string[], meaning: string): Finding {
  return { check, severity, in: at, count: 1, meaning };
}

function texts(tool: ToolDefinition): [string, string][] {
  const members: [string, unknown][] = [
    ["name", tool.name],
    ["title", tool.title],
    ["description", tool.description],
    ["inputSchema", tool.inputSchema],
    ["outputSchema", tool.outputSchema],
    ["annotations", tool.annotations],
  ];
  return members.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, strings(value).join("\n")] as [string, string]],
  );
}

/** The dialect of a JSON Schema is named by an address that nearly every schema carries and nobody follows. */
const DIALECT = /^https?:\/\/json-schema\.org\/[\w./-]+#?$/;

/** Every string in a value, keys included; without recursion, since an upstream chose the depth. */
function strings(value: unknown): string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") {
      if (!DIALECT.test(next)) found.push(next);
    } else if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (typeof next === "object" && next !== null)
      for (const [key, item] of Object.entries(next)) open.push(key, item);
  }
  return found;
}
