// @ts-check
/** The completion scripts of cli/completion. `node build/completions.mjs bash|zsh|fish|powershell` prints one. */
import { fileURLToPath } from "node:url";
import { readCommands } from "./commands.mjs";

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { completions } = await readCommands();
  const text = completions[/** @type {"bash"} */ (process.argv[2])];
  if (text === undefined) throw new Error("name a shell: bash, zsh, fish or powershell");
  process.stdout.write(text);
}
