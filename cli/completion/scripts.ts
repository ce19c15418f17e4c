import type { CommandTree } from "../command.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { placesOf } from "./places.ts";
import { powershellCompletion } from "./powershell.ts";
import { zshCompletion } from "./zsh.ts";

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

type Shell = (typeof SHELLS)[number];

/**
 * Generates the completion scripts from the command tree. Each finds the command in the line, skipping flags and their
 * values, and then offers that command's words, flags and values. Names of servers, tools and the like come from the
 * running proxy, by `proxy __complete`.
 */
export async function completionScripts(tree: CommandTree): Promise<Record<Shell, string>> {
  const places = await placesOf(tree);
  return {
    bash: bashCompletion(places),
    zsh: zshCompletion(places),
    fish: fishCompletion(places),
    powershell: powershellCompletion(places),
  };
}
