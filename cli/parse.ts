import { parseArgs } from "node:util";
import { nearest } from "#lib/base/nearest.ts";
import type { FlagSpec, FlagSpecs, WordSpecs } from "./command.ts";
import { UsageError } from "./exit.ts";

export interface Parsed {
  words: Record<string, string | string[] | undefined>;
  flags: Record<string, string | string[] | number | boolean | undefined>;
  rest: string[];
}

/**
 * Reads a command line strictly: every flag is known, has its value and fits its choices; every word has its place.
 *
 * @param argv without the words that chose the command
 * @throws UsageError naming the word or flag and the nearest known one
 */
export function parse(argv: readonly string[], words: WordSpecs, flags: FlagSpecs, restAllowed: boolean): Parsed {
  const end = argv.indexOf("--");
  const [own, rest] = end < 0 ? [argv, []] : [argv.slice(0, end), argv.slice(end + 1)];
  if (end >= 0 && !restAllowed) throw new UsageError(`nothing may follow "--" here`);
  const { tokens } = parseArgs({
    args: [...own],
    options: Object.fromEntries(Object.entries(flags).map(([name, f]) => [name, option(f)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const found: Parsed = { words: {}, flags: {}, rest: [...rest] };
  for (const [name, f] of Object.entries(flags)) if (f.type === "list") found.flags[name] = [];
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { name, negated } = named(token.name, token.rawName, flags);
    const spec = flags[name]!;
    const value = token.inlineValue || !looksLikeFlag(token.value, flags) ? token.value : undefined;
    found.flags[name] = flagValue(spec, token.rawName, value, negated, found.flags[name]);
  }
  place(positionals, words, found.words);
  return found;
}

function option(f: FlagSpec): { type: "boolean" | "string"; short?: string; multiple: boolean } {
  return { type: f.type === "boolean" ? "boolean" : "string", multiple: true, ...(f.short && { short: f.short }) };
}

function named(name: string, raw: string, flags: FlagSpecs): { name: string; negated: boolean } {
  if (Object.hasOwn(flags, name)) return { name, negated: false };
  const positive = name.startsWith("no-") ? name.slice(3) : "";
  if (Object.hasOwn(flags, positive) && flags[positive]?.type === "boolean") return { name: positive, negated: true };
  const near = raw.startsWith("--") ? nearest(name, Object.keys(flags), 1).map((n) => `--${n}`) : [];
  throw new UsageError(`unknown flag ${raw}`, near);
}

/** `--server --json`: the value was forgotten. A value that starts with a dash is written `--server=-x`. */
function looksLikeFlag(value: string | undefined, flags: FlagSpecs): boolean {
  const [, name] = /^--?([\w-]+)/.exec(value ?? "") ?? [];
  if (name === undefined) return false;
  return Object.hasOwn(flags, name) || Object.values(flags).some((f) => f.short === name);
}

function flagValue(f: FlagSpec, raw: string, value: string | undefined, negated: boolean, before: unknown) {
  if (f.type === "boolean") {
    if (value === undefined) return !negated;
    if (value !== "true" && value !== "false") throw new UsageError(`${raw} is either true or false, not "${value}"`);
    return (value === "true") !== negated;
  }
  if (value === undefined) throw new UsageError(`${raw} needs a value${f.hint ? ` (${f.hint})` : ""}`);
  if (f.choices && !f.choices.includes(value))
    throw new UsageError(`${raw} is one of ${f.choices.join(", ")}, not "${value}"`, nearest(value, f.choices, 1));
  if (f.type === "list") return [...(before as string[]), value];
  if (f.type === "string") return value;
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number)) throw new UsageError(`${raw} is a number, not "${value}"`);
  return number;
}

function place(given: string[], words: WordSpecs, into: Parsed["words"]): void {
  for (const [name, spec] of Object.entries(words)) {
    if (spec.many) into[name] = given.splice(0);
    else into[name] = given.shift();
    const value = into[name];
    const missing = value === undefined || value.length === 0;
    if (missing && !spec.optional) throw new UsageError(`<${name}> is missing: ${spec.about}`);
  }
  if (given.length > 0) throw new UsageError(`unexpected word "${given[0]}"`);
}
