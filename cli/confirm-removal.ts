import { askYes, isTerminal } from "./ask.ts";
import type { Cli } from "./cli.ts";

export const YES_ARG = { yes: { type: "boolean", alias: "y", description: "remove without asking" } } as const;

/** Asks at a terminal before something is removed; a script is not asked. @returns false if the person declined */
export async function confirmRemoval(cli: Cli, question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes || !isTerminal(cli) || (await askYes(question, cli))) return true;
  cli.note("not removed");
  return false;
}

/**
 * Prints the command that restores the previous configuration. The newest version in the history is the current
 * configuration, and the next one is that before the removal.
 */
export async function noteWayBack(cli: Cli): Promise<void> {
  const { versions } = await cli.call("GET /api/v1/config/history", {});
  const before = versions[1];
  cli.note(
    before
      ? `undo with: ${cli.self} config restore ${before.version}`
      : `there is no earlier configuration; see: ${cli.self} config history`,
  );
}
