import type { ReadStream } from "node:tty";
import { askText } from "./ask-secret.ts";
import type { Cli } from "./cli.ts";

/** Whether somebody can type answers. */
export const isTerminal = ({ stdin }: Pick<Cli, "stdin">): boolean => (stdin as Partial<ReadStream>).isTTY === true;

/** A question that only a typed yes answers with yes. */
export async function askYes(question: string, cli: Cli): Promise<boolean> {
  return /^y(es)?$/i.test((await askText(`${question} [y/N]`, cli)).trim());
}

/**
 * A question with a few answers, each typed by its first letter; asked again until one fits.
 *
 * @param choices words whose first letters differ, in the order shown
 * @param end the answer when the input ends
 */
export async function askChoice<C extends string>(choices: readonly C[], end: NoInfer<C>, cli: Cli): Promise<C> {
  const shown = choices.map((word) => `[${word[0]}]${word.slice(1)}`).join(", ");
  for (let tries = 0; tries < 20; tries++) {
    const answer = (await askText(shown, cli)).trim().toLowerCase();
    const chosen = choices.find((word) => answer !== "" && word.startsWith(answer));
    if (chosen) return chosen;
  }
  return end;
}
