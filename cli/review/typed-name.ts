import { askText } from "../ask-secret.ts";
import type { Cli } from "../cli.ts";

/** Asks the person to type a name, to accept the findings. */
export async function typedName(cli: Cli, name: string, why: string): Promise<boolean> {
  const typed = (await askText(`${why} Type "${name}" to approve anyway`, cli)).trim() === name;
  if (!typed) cli.note("not approved");
  return typed;
}
