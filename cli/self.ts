import { basename, relative } from "node:path";
import { isExecutable } from "#lib/core/base/asset.ts";
import type { Globals } from "./args.ts";

/** How this very program is started again, with the given words. */
export function selfCommand(...words: string[]): [command: string, ...args: string[]] {
  return isExecutable() ? [process.execPath, ...words] : [process.execPath, process.argv[1] ?? "", ...words];
}

/** How a person at this prompt calls this program: `proxy` on the path, the executable's file, or node with its script. */
export function selfName(script = process.argv[1] ?? "", cwd = process.cwd()): string {
  if (isExecutable()) return executableName(process.argv0);
  if (basename(script) !== "proxy.cjs") return "proxy";
  const near = relative(cwd, script);
  return `node ${near.startsWith("..") ? script : near}`;
}

/** @param typed what the shell was given: a bare name was found on the path, a file is called as it was */
export function executableName(typed: string): string {
  return /[\\/]/.test(typed) ? quoted(typed) : "proxy";
}

/** A text that names commands of this program, with each as it is typed here: `see: proxy status`. */
export function commandsAs(self: string, text: string): string {
  return text.replace(/(^|: |`)proxy (?=[a-z])/g, (_, before: string) => `${before}${self} `);
}

/** The same with what says which proxy is meant, so that what is printed works as it stands. */
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

/** A word as a shell takes it. */
export function quoted(word: string): string {
  return /^[\w./:@~+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
