import {
  type ArgsDef,
  type BooleanArgDef,
  type CommandDef,
  type CommandMeta,
  defineCommand,
  type EnumArgDef,
  type PositionalArgDef,
  type StringArgDef,
} from "citty";
import type { Cli } from "./cli.ts";

/** The members that declarations have in addition to those of citty: a short form and multiple values. */
interface Declared {
  description: string;
  alias?: string;
  /** The argument can be repeated; for positional words, only the last one can. */
  many?: true;
  /** What the value names; shells complete it with the names that the running proxy has. */
  names?: NameKind;
}

/** Kinds of names that shells complete; a tool is written `server:tool`. */
export type NameKind = "servers" | "tools" | "tokens" | "profiles" | "clients" | "secrets" | "registries";

/**
 * A positional word or flag, declared as for citty. Booleans also accept `--no-…`, and positional words are required by
 * default. A `number` below `min` is rejected; most are counts, so without `min` the least is 1.
 */
export type Arg = Declared &
  (
    | (Omit<StringArgDef, Left> & { type: "string"; number?: true; min?: number })
    | (Omit<BooleanArgDef, Left> & { type: "boolean" })
    | (Omit<EnumArgDef, Left | "options"> & { type: "enum"; options: readonly string[] })
    | (Omit<PositionalArgDef, "default"> & { type: "positional" })
  );
/** citty members that this program does not use: each command defines what an absent flag means. */
type Left = "default" | "required";

export type Args = Readonly<Record<string, Arg>>;

/** The parts of the program's help page, in their order, with their headings. */
export const HELP_GROUPS = {
  run: "Start and stop",
  servers: "Servers",
  tools: "Tools, prompts and resources",
  clients: "Clients",
  settings: "Configuration",
  watch: "Activity and diagnosis",
  program: "Program",
} as const;

export interface Meta extends CommandMeta {
  /** One line for the help, without a full stop. */
  description: string;
  /** Further text for the command's help page. */
  detail?: string;
  examples?: readonly string[];
  /** The part of the program's help page that lists the command; only for words at the top level. */
  group?: keyof typeof HELP_GROUPS;
}

type Chosen<A extends Arg> = A extends { options: readonly (infer C extends string)[] } ? C : string;
type Value<A extends Arg> = A extends { many: true }
  ? Chosen<A>[]
  : A extends { type: "boolean" }
    ? boolean | undefined
    : A extends { number: true }
      ? number | undefined
      : A extends { type: "positional"; required?: true }
        ? string
        : Chosen<A> | undefined;

/** The input of one run of a command. */
export interface CommandRun<A extends Args> {
  cli: Cli;
  args: { [K in keyof A]: Value<A[K]> };
  /** The words after `--`. */
  rest: string[];
}

interface CommandSpec<A extends Args> {
  meta: Meta;
  args?: A;
  /** Description of the words after `--`; without it, none are allowed. */
  rest?: string;
  /**
   * How the command takes a URL that it stores, such as `--address <url>`. `--url` always selects the proxy; after the
   * words of such a command it is rejected, because the URL to store may be meant.
   */
  ownUrl?: string;
  /** Text for standard output if the words and flags of the line are invalid. */
  misused?(reason: string): Promise<string>;
  /** @returns an exit code when it is not 0 */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command without an exit code returns nothing
  run(call: CommandRun<A>): Promise<number | void> | number | void;
}

/** A citty command; it runs on the `CommandRun` given as `data`. */
export interface Command extends CommandDef {
  readonly meta: Meta;
  readonly args: Args & ArgsDef;
  readonly rest?: string;
  readonly ownUrl?: string;
  readonly misused?: (reason: string) => Promise<string>;
}

/** A folder of commands; `_group.ts` in it exports its `meta`. */
export interface Group extends CommandDef {
  readonly meta: Meta;
  readonly subCommands: CommandTree;
}

/** Maps command words to files, each loaded when the word is typed or listed. */
export type CommandTree = { readonly [word: string]: () => Promise<Command | Group> };

export const isGroup = (found: Command | Group): found is Group => found.subCommands !== undefined;

/** Declares one command; the types of its values follow from its args. */
export function command<const A extends Args = Record<never, never>>(spec: CommandSpec<A>): Command {
  const { meta, rest, ownUrl, misused, run } = spec;
  // The cast only adds `readonly` to lists of options, which citty's type lacks.
  const args = (spec.args ?? {}) as unknown as Args & ArgsDef;
  const defined = defineCommand({ meta, args, run: ({ data }) => run(data as CommandRun<A>) });
  return {
    ...(defined as CommandDef),
    meta,
    args,
    ...(rest !== undefined && { rest }),
    ...(ownUrl !== undefined && { ownUrl }),
    ...(misused && { misused }),
  };
}
