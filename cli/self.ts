import { basename, relative } from "node:path";
import { isExecutable } from "#lib/base/asset.ts";

/** How this very program is started again, with the given words. */
export function selfCommand(...words: string[]): [command: string, ...args: string[]] {
  return isExecutable() ? [process.execPath, ...words] : [process.execPath, process.argv[1] ?? "", ...words];
}

/** How a person at this prompt calls this program: `proxy`, or its file when it runs from source. */
export function selfName(script = process.argv[1] ?? "", cwd = process.cwd()): string {
  if (isExecutable() || basename(script) !== "proxy.cjs") return "proxy";
  const near = relative(cwd, script);
  return `node ${near.startsWith("..") ? script : near}`;
}
