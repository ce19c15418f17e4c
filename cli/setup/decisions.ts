import { askChoice, isTerminal } from "../ask.ts";
import type { Cli } from "../cli.ts";

/** The questions of a setup, counted, so that the summary can state how many a person had to answer. */
export interface Decisions {
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  /** Asks for one of some words, which begin with different letters. Without a terminal, the result is `otherwise`. */
  choose<C extends string>(question: string, choices: readonly C[], otherwise: NoInfer<C>): Promise<C>;
  /** Counts a decision that was asked elsewhere. */
  add(count: number): void;
  count(): number;
}

export function decisionsOf(cli: Cli): Decisions {
  let count = 0;
  const canAsk = isTerminal(cli) && cli.globals.output === "table";
  return {
    canAsk,
    async choose(question, choices, otherwise) {
      if (!canAsk) return otherwise;
      count++;
      cli.note(`\n${question}`);
      return askChoice(choices, otherwise, cli);
    },
    add(more) {
      count += more;
    },
    count: () => count,
  };
}
