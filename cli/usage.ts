import { GLOBAL_FLAGS } from "./args.ts";
import type { Command, FlagSpec, FlagSpecs, Group } from "./command.ts";
import { pad, width } from "./width.ts";

/** The help page of one command. */
export function commandUsage(path: readonly string[], c: Command): string {
  const words = Object.entries(c.words).map(([name, w]) => {
    const shown = w.many ? `${name}…` : name;
    return w.optional ? `[${shown}]` : `<${shown}>`;
  });
  const line = ["proxy", ...path, ...words, "[flags]", ...(c.rest ? [`[-- ${c.rest}]`] : [])].join(" ");
  return page([
    c.about,
    c.detail,
    `Usage: ${line}`,
    block(
      "Arguments",
      Object.entries(c.words).map(([name, w]) => [name, w.about]),
    ),
    block("Flags", flagRows(c.flags)),
    block("Global flags", flagRows(GLOBAL_FLAGS)),
    c.examples && `Examples:\n${c.examples.map((e) => `  ${e}`).join("\n")}`,
  ]);
}

/** The help page of a group of commands, or of the whole program. */
export async function groupUsage(path: readonly string[], group: Group, more?: string): Promise<string> {
  const rows: [string, string][] = [];
  for (const [word, load] of Object.entries(group.commands)) {
    const found = await load();
    if ("hidden" in found && found.hidden) continue;
    rows.push([word, found.about]);
  }
  const line = ["proxy", ...path, "<command>", "[flags]"].join(" ");
  return page([
    group.about,
    `Usage: ${line}`,
    block("Commands", rows),
    path.length === 0
      ? block("Global flags", [...flagRows(GLOBAL_FLAGS), ["-v, --version", "show the version"]])
      : undefined,
    more,
    `More about a command: ${["proxy", ...path, "<command>", "--help"].join(" ")}`,
  ]);
}

const page = (parts: (string | undefined)[]) => `${parts.filter(Boolean).join("\n\n")}\n`;

function block(title: string, rows: [string, string][]): string | undefined {
  if (rows.length === 0) return undefined;
  const left = Math.max(...rows.map(([name]) => width(name)));
  return `${title}:\n${rows.map(([name, about]) => `  ${pad(name, left)}   ${about}`).join("\n")}`;
}

function flagRows(flags: FlagSpecs): [string, string][] {
  return Object.entries(flags).map(([name, f]) => [
    `${f.short ? `-${f.short},` : "   "} --${name}${valueHint(f)}`,
    aboutOf(f),
  ]);
}

const valueHint = (f: FlagSpec) => (f.type === "boolean" ? "" : ` <${f.hint ?? (f.type === "number" ? "n" : "text")}>`);
const aboutOf = (f: FlagSpec) => (f.type === "list" ? `${f.about}; may be repeated` : f.about);
