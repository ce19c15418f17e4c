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

/** What both kinds of declarations share beyond citty: a line for the help, one short form, more than one value. */
interface Declared {
  description: string;
  alias?: string;
  /** Given several times it is a list; of positional words only the last may. */
  many?: true;
}

/** A word or flag as citty declares it. Booleans are also understood as `--no-…`, positional words are required. */
export type Arg = Declared &
  (
    | (Omit<StringArgDef, Left> & { type: "string"; number?: true })
    | (Omit<BooleanArgDef, Left> & { type: "boolean" })
    | (Omit<EnumArgDef, Left | "options"> & { type: "enum"; options: readonly string[] })
    | (Omit<PositionalArgDef, "default"> & { type: "positional" })
  );
/** Not said in this program: what a missing flag means is said where it is used. */
type Left = "default" | "required";

export type Args = Readonly<Record<string, Arg>>;

export interface Meta extends CommandMeta {
  /** One line for the help, without a full stop. */
  description: string;
  /** More for its own help page. */
  detail?: string;
  examples?: readonly string[];
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

/** What one run of a command sees. */
export interface CommandRun<A extends Args> {
  cli: Cli;
  args: { [K in keyof A]: Value<A[K]> };
  /** What followed `--`. */
  rest: string[];
}

interface CommandSpec<A extends Args> {
  meta: Meta;
  args?: A;
  /** What may follow `--`; without it nothing may. */
  rest?: string;
  /** What standard output gets where the words and flags of the line make no sense, in place of nothing. */
  misused?(reason: string): Promise<string>;
  /** @returns an exit code when it is not 0 */
  // biome-ignore lint/suspicious/noConfusingVoidType: a command without an exit code returns nothing
  run(call: CommandRun<A>): Promise<number | void> | number | void;
}

/** A command of citty's; it runs on the `CommandRun` given as `data`. */
export interface Command extends CommandDef {
  readonly meta: Meta;
  readonly args: Args & ArgsDef;
  readonly rest?: string;
  readonly misused?: (reason: string) => Promise<string>;
}

/** A folder of commands; `_group.ts` in it exports its `meta`. */
export interface Group extends CommandDef {
  readonly meta: Meta;
  readonly subCommands: CommandTree;
}

/** Command words to their files, each loaded only when it is typed or listed. */
export type CommandTree = { readonly [word: string]: () => Promise<Command | Group> };

export const isGroup = (found: Command | Group): found is Group => found.subCommands !== undefined;

/** Declares one command; the values it sees are typed by its args. */
export function command<const A extends Args = Record<never, never>>(spec: CommandSpec<A>): Command {
  const { meta, rest, misused, run } = spec;
  // citty's own type differs in that lists of options could be written to.
  const args = (spec.args ?? {}) as unknown as Args & ArgsDef;
  const defined = defineCommand({ meta, args, run: ({ data }) => run(data as CommandRun<A>) });
  return { ...(defined as CommandDef), meta, args, ...(rest !== undefined && { rest }), ...(misused && { misused }) };
}
