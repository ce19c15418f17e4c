import type { Cli } from "./cli.ts";

/** A flag; `list` may be given several times. Booleans are also understood as `--no-…`. */
export interface FlagSpec {
  type: "string" | "number" | "boolean" | "list";
  about: string;
  short?: string;
  /** What stands for the value in the help: `--server <name>`. */
  hint?: string;
  choices?: readonly string[];
}

/** A positional word, in the order written. */
export interface WordSpec {
  about: string;
  optional?: true;
  /** Takes all that follow; only the last may. */
  many?: true;
}

export type FlagSpecs = Record<string, FlagSpec>;
export type WordSpecs = Record<string, WordSpec>;

type Chosen<F extends FlagSpec> = F["choices"] extends readonly (infer C extends string)[] ? C : string;
type FlagValue<F extends FlagSpec> = F["type"] extends "list"
  ? Chosen<F>[]
  : (F["type"] extends "boolean" ? boolean : F["type"] extends "number" ? number : Chosen<F>) | undefined;
type WordValue<W extends WordSpec> = W["many"] extends true
  ? string[]
  : W["optional"] extends true
    ? string | undefined
    : string;

/** What one run of a command sees. */
export interface CommandRun<W extends WordSpecs, F extends FlagSpecs> {
  cli: Cli;
  words: { [K in keyof W]: WordValue<W[K]> };
  flags: { [K in keyof F]: FlagValue<F[K]> };
  /** What followed `--`. */
  rest: string[];
}

export interface CommandSpec<W extends WordSpecs, F extends FlagSpecs> {
  /** One line for the help, without a full stop. */
  about: string;
  /** More for its own help page. */
  detail?: string;
  words?: W;
  flags?: F;
  /** What may follow `--`; without it nothing may. */
  rest?: string;
  examples?: readonly string[];
  hidden?: true;
  /** @returns an exit code when it is not 0 */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command without an exit code returns nothing
  run(call: CommandRun<W, F>): Promise<number | void> | number | void;
}

export interface Command extends CommandSpec<WordSpecs, FlagSpecs> {
  readonly words: WordSpecs;
  readonly flags: FlagSpecs;
}

/** A folder of commands; `_group.ts` in it exports its line of help. */
export interface Group {
  readonly about: string;
  readonly commands: CommandTree;
}

/** Command words to their files, each loaded only when it is typed or listed. */
export type CommandTree = { readonly [word: string]: () => Promise<Command | Group> };

/** Declares one command; its values are typed by its words and flags. */
export function command<
  const W extends WordSpecs = Record<never, never>,
  const F extends FlagSpecs = Record<never, never>,
>(spec: CommandSpec<W, F>): Command {
  // The run function is only ever called with what parse() made by these very specs.
  const erased = spec as unknown as CommandSpec<WordSpecs, FlagSpecs>;
  return { ...erased, words: erased.words ?? {}, flags: erased.flags ?? {} };
}
