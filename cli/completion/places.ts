import { GLOBAL_ARGS } from "../args.ts";
import { type Arg, type Command, type CommandTree, type Group, isGroup, type NameKind } from "../command.ts";

/** A flag or positional word with its name. */
export type NamedArg = Arg & { name: string };

/** One place in the command tree: what may follow the words that lead to it. */
export interface Place {
  /** The command words, joined by spaces. */
  at: string;
  /** Commands that may follow. */
  words: { word: string; about: string }[];
  flags: NamedArg[];
  /** What the positional words name, if a shell can complete them. */
  names: NameKind | undefined;
}

/** All places of a command tree, the program itself first. Hidden commands are left out. */
export async function placesOf(tree: CommandTree): Promise<Place[]> {
  return placesBelow([], { meta: { description: "" }, subCommands: tree });
}

async function placesBelow(path: readonly string[], found: Command | Group): Promise<Place[]> {
  const at = path.join(" ");
  if (!isGroup(found)) {
    const args = namedArgs(found.args);
    const words = args.filter(({ type }) => type === "positional");
    const flags = args.filter(({ type }) => type !== "positional");
    return [{ at, words: [], flags, names: words.find(({ names }) => names)?.names }];
  }
  const words: Place["words"] = [];
  const below: Place[] = [];
  for (const [word, load] of Object.entries(found.subCommands)) {
    const one = await load();
    if (one.meta.hidden) continue;
    words.push({ word, about: one.meta.description });
    below.push(...(await placesBelow([...path, word], one)));
  }
  return [{ at, words, flags: [], names: undefined }, ...below];
}

/** The flags of every command. */
export const globalFlags = (): NamedArg[] => namedArgs(GLOBAL_ARGS);

const namedArgs = (args: Readonly<Record<string, Arg>>): NamedArg[] =>
  Object.entries(args).map(([name, arg]) => ({ ...arg, name }));

/** The spellings of a flag: `--name` and, if it has one, `-n`. */
export const spellings = ({ name, alias }: NamedArg): string[] => [`--${name}`, ...(alias ? [`-${alias}`] : [])];

/** The possible values of a flag, if a shell can know them. */
export function flagValues(flag: NamedArg): "files" | "folders" | readonly string[] | undefined {
  if (flag.type === "enum") return flag.options;
  const hint = "valueHint" in flag ? flag.valueHint : undefined;
  if (hint === "file") return "files";
  return hint === "folder" ? "folders" : undefined;
}

/** All spellings of flags that take a value, which the scripts skip in a line. */
export function valuedFlags(places: readonly Place[]): string[] {
  const flags = [...globalFlags(), ...places.flatMap((place) => place.flags)];
  return [...new Set(flags.filter(({ type }) => type !== "boolean").flatMap(spellings))].sort();
}

/** Quotes a word for all shells. */
export const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
