import { parseArgs } from "node:util";
import { nearestWords } from "#lib/core/base/nearest.ts";
import type { Arg, Args } from "./command.ts";
import { UsageError } from "./exit.ts";

interface Parsed {
  args: Record<string, string | string[] | number | boolean | undefined>;
  /** The words after `--`. */
  rest: string[];
  /**
   * The same arguments in an unambiguous form that citty's parser accepts too: words first, and each flag as
   * `--name=value`.
   */
  line: string[];
}

/**
 * Parses a command line strictly by citty's declarations: every flag is known, has a value and matches its options, and
 * every word is declared. citty alone accepts unknown flags, keeps only the last of several values, and treats words
 * after `--` as positional.
 *
 * @param argv without the words that selected the command
 * @throws UsageError with the word or flag and suggestions
 */
export function parse(argv: readonly string[], declared: Args, restAllowed: boolean): Parsed {
  const end = argv.indexOf("--");
  const [own, rest] = end < 0 ? [argv, []] : [argv.slice(0, end), argv.slice(end + 1)];
  if (end >= 0 && !restAllowed) throw new UsageError(`this command takes no arguments after "--"`);
  const flags = only(declared, (arg) => arg.type !== "positional");
  const { tokens } = parseArgs({
    args: [...own],
    options: Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, option(flag)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const args: Parsed["args"] = {};
  for (const [name, { many }] of Object.entries(flags)) if (many) args[name] = [];
  const words: string[] = [];
  const line: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const { name, negated } = named(token.name, token.rawName, flags);
    const value = token.inlineValue || !looksLikeFlag(token.value, flags) ? token.value : undefined;
    const read = flagValue(flags[name]!, token.rawName, value, negated);
    args[name] = flags[name]!.many ? [...(args[name] as string[]), String(read)] : read;
    line.push(`--${name}=${read}`);
  }
  line.unshift(...words);
  place(
    words,
    only(declared, (arg) => arg.type === "positional"),
    args,
  );
  return { args, rest: [...rest], line };
}

const only = (declared: Args, which: (arg: Arg) => boolean): Args =>
  Object.fromEntries(Object.entries(declared).filter(([, arg]) => which(arg)));

function option({ type, alias }: Arg): { type: "boolean" | "string"; short?: string; multiple: boolean } {
  return { type: type === "boolean" ? "boolean" : "string", multiple: true, ...(alias && { short: alias }) };
}

function named(name: string, raw: string, flags: Args): { name: string; negated: boolean } {
  if (Object.hasOwn(flags, name)) return { name, negated: false };
  const positive = name.startsWith("no-") ? name.slice(3) : "";
  if (Object.hasOwn(flags, positive) && flags[positive]?.type === "boolean") return { name: positive, negated: true };
  const near = raw.startsWith("--") ? nearestWords(name, Object.keys(flags), 1).map((n) => `--${n}`) : [];
  throw new UsageError(`unknown flag ${raw}`, near);
}

/** Detects a forgotten value: `--server --json`. A value that starts with a dash must be written as `--server=-x`. */
function looksLikeFlag(value: string | undefined, flags: Args): boolean {
  const [, name] = /^--?([\w-]+)/.exec(value ?? "") ?? [];
  if (name === undefined) return false;
  return Object.hasOwn(flags, name) || Object.values(flags).some(({ alias }) => alias === name);
}

function flagValue(flag: Arg, raw: string, value: string | undefined, negated: boolean): string | number | boolean {
  if (flag.type === "boolean") {
    if (value === undefined) return !negated;
    if (value !== "true" && value !== "false") throw new UsageError(`${raw} must be true or false, not "${value}"`);
    return (value === "true") !== negated;
  }
  if (value === undefined) throw new UsageError(`${raw} needs a value${flag.valueHint ? ` (${flag.valueHint})` : ""}`);
  if (flag.type === "enum" && !flag.options.includes(value))
    throw new UsageError(
      `${raw} must be one of ${flag.options.join(", ")}, not "${value}"`,
      nearestWords(value, flag.options, 1),
    );
  if (flag.type !== "string" || !flag.number) return value;
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number)) throw new UsageError(`${raw} must be a number, not "${value}"`);
  const min = flag.min ?? 1;
  if (number < min) throw new UsageError(`${raw} must be at least ${min}, not ${value}`);
  return number;
}

function place(given: readonly string[], words: Args, into: Parsed["args"]): void {
  const left = [...given];
  for (const [name, word] of Object.entries(words)) {
    const value = word.many ? left.splice(0) : left.shift();
    into[name] = value;
    const missing = value === undefined || value.length === 0;
    if (missing && !isOptional(word)) throw new UsageError(`<${name}> is missing: ${word.description}`);
  }
  if (left.length > 0) throw new UsageError(`unexpected argument "${left[0]}"`);
}

/** Positional words are required unless they say otherwise, as in citty. */
export const isOptional = (word: Arg): boolean => word.type === "positional" && word.required === false;
