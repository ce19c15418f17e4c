import { basename, relative } from "node:path";
import { isExecutable } from "#lib/core/base/asset.ts";
import type { Globals } from "./args.ts";

/** The command that starts this program again with the given words. */
export function selfCommand(...words: string[]): [command: string, ...args: string[]] {
  return isExecutable() ? [process.execPath, ...words] : [process.execPath, process.argv[1] ?? "", ...words];
}

/**
 * The command that a person would type to start this program: `proxy` on the PATH, the executable's path, or node with
 * its script.
 */
export function selfName(script = process.argv[1] ?? "", cwd = process.cwd()): string {
  if (isExecutable()) return executableName(process.argv0);
  if (basename(script) !== "proxy.cjs") return "proxy";
  const relativePath = relative(cwd, script);
  return `node ${relativePath.startsWith("..") ? script : relativePath}`;
}

/** @param typed the first word of the command line: a bare name was found on the PATH, a path is kept */
export function executableName(typed: string): string {
  return /[\\/]/.test(typed) ? quoted(typed) : "proxy";
}

/** Replaces `proxy` in commands within a text by the command that starts this program: `see: proxy status`. */
export function commandsAs(self: string, text: string): string {
  return text.replace(/(^|: |`)proxy (?=[a-z])/g, (_, before: string) => `${before}${self} `);
}

/** Adds the flags that select the proxy, so that printed commands work unchanged. */
export function selfWith(
  { config, dataDir, url }: Pick<Globals, "config" | "dataDir" | "url">,
  name = selfName(),
): string {
  const where: [flag: string, value: string | undefined][] = [
    ["-c", config],
    ["-d", dataDir],
    ["--url", url],
  ];
  return [name, ...where.flatMap(([flag, value]) => (value === undefined ? [] : [flag, quoted(value)]))].join(" ");
}

/** Quotes a word for a shell. */
export function quoted(word: string): string {
  return /^[\w./:@~+-][\w./:@~+=-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
