// @ts-check
/**
 * Reads the command tree from the command declarations, as plain data for the manual page and the shell completions.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./install.mjs";

/**
 * @typedef {object} Arg
 * @property {string} name
 * @property {string} [alias]
 * @property {"string" | "boolean" | "enum" | "positional"} type
 * @property {string} description
 * @property {string} [valueHint]
 * @property {readonly string[]} [options]
 * @property {boolean} [number]
 * @property {boolean} [many]
 * @property {boolean} [required]
 *
 * @typedef {object} Command
 * @property {string[]} path words after `proxy`
 * @property {string} description
 * @property {string} [detail]
 * @property {readonly string[]} examples
 * @property {string} [rest] what may follow `--`
 * @property {Arg[]} args
 * @property {Command[]} commands sub-commands; empty for a command that runs
 */

const about = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).description;

const ENTRY = `
export { commands } from "./cli/commands.gen.ts";
export { GLOBAL_ARGS } from "./cli/args.ts";
export { completionScripts } from "./cli/completion/scripts.ts";
`;

/** @typedef {{ bash: string, zsh: string, fish: string, powershell: string }} Completions scripts by shell */

/** @returns {Promise<{ root: Command, globals: Arg[], completions: Completions }>} */
export async function readCommands() {
  ensureInstalled();
  const { build } = await import("esbuild");
  const { common } = await import("./assets.mjs");
  const { generate } = await import("./generate-tables.mjs");
  generate();
  const { outputFiles } = await build({
    ...common,
    format: "cjs",
    packages: "external",
    stdin: { contents: ENTRY, resolveDir: fileURLToPath(new URL("..", import.meta.url)), loader: "ts" },
    define: { __VERSION__: '""', __ASSETS__: "undefined" },
    write: false,
  });
  const module = { exports: /** @type {any} */ ({}) };
  // This evaluates the declarations only; no command runs.
  new Function("require", "module", "exports", outputFiles[0].text)(
    createRequire(new URL("../cli/main.ts", import.meta.url)),
    module,
    module.exports,
  );
  const { commands, GLOBAL_ARGS, completionScripts } = module.exports;
  return {
    root: await described([], { meta: { description: about }, subCommands: commands }),
    globals: argsOf(GLOBAL_ARGS),
    completions: await completionScripts(commands),
  };
}

/** @param {string[]} path @param {any} found @returns {Promise<Command>} */
async function described(path, found) {
  const { description, detail, examples = [] } = found.meta;
  /** @type {Command[]} */
  const commands = [];
  for (const [word, load] of Object.entries(found.subCommands ?? {})) {
    const below = await load();
    if (!below.meta.hidden) commands.push(await described([...path, word], below));
  }
  return { path, description, detail, examples, rest: found.rest, args: argsOf(found.args ?? {}), commands };
}

/** @param {Record<string, Omit<Arg, "name">>} args @returns {Arg[]} */
function argsOf(args) {
  return Object.entries(args).map(([name, arg]) => ({ ...arg, name }));
}

/** All commands that run, in order. @param {Command} root @returns {Command[]} */
export function leaves(root) {
  return root.commands.length === 0 ? [root] : root.commands.flatMap(leaves);
}
