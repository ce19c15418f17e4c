import type { ReadStream } from "node:tty";
import { askText } from "./ask-secret.ts";
import type { Cli } from "./cli.ts";

/** Whether standard input is a terminal, at which a person can answer. */
export const isTerminal = ({ stdin }: Pick<Cli, "stdin">): boolean => (stdin as Partial<ReadStream>).isTTY === true;

/** Asks a question; only a typed "yes" counts as agreement. */
export async function askYes(question: string, cli: Cli): Promise<boolean> {
  return /^y(es)?$/i.test((await askText(`${question} [y/N]`, cli)).trim());
}

/**
 * Asks a question with a few answers, each selected by its first letter, until one is valid.
 *
 * @param choices words with different first letters, in the order shown
 * @param end the result if the input ends
 */
export async function askChoice<C extends string>(choices: readonly C[], end: NoInfer<C>, cli: Cli): Promise<C> {
  const choiceText = choices.map((word) => `[${word[0]}]${word.slice(1)}`).join(", ");
  for (let tries = 0; tries < 20; tries++) {
    const answer = (await askText(choiceText, cli)).trim().toLowerCase();
    const chosen = choices.find((word) => answer !== "" && word.startsWith(answer));
    if (chosen) return chosen;
  }
  return end;
}
