import { askText } from "../ask-secret.ts";
import type { Cli } from "../cli.ts";

/** Whether the person types a name, to accept what speaks against it. */
export async function typedName(cli: Cli, name: string, why: string): Promise<boolean> {
  const typed = (await askText(`${why} Type "${name}" to approve anyway`, cli)).trim() === name;
  if (!typed) cli.note("not approved");
  return typed;
}
