import { GLOBAL_ARGS } from "./args.ts";
import type { Arg, Command, Group } from "./command.ts";
import { isOptional } from "./parse.ts";
import { pad, width } from "./width.ts";

/** The help page of one command, from its citty declaration. citty's own page has colours for terminals only. */
export function commandUsage(path: readonly string[], { meta, args, rest }: Command): string {
  const words = Object.entries<Arg>(args).filter(([, arg]) => arg.type === "positional");
  const flags = Object.entries<Arg>(args).filter(([, arg]) => arg.type !== "positional");
  const shown = words.map(([name, word]) => {
    const each = word.many ? `${name}…` : name;
    return isOptional(word) ? `[${each}]` : `<${each}>`;
  });
  const line = ["proxy", ...path, ...shown, "[flags]", ...(rest ? [`[-- ${rest}]`] : [])].join(" ");
  return page([
    meta.description,
    meta.detail,
    `Usage: ${line}`,
    block(
      "Arguments",
      words.map(([name, word]) => [name, word.description]),
    ),
    block("Flags", flagRows(flags)),
    block("Global flags", flagRows(Object.entries(GLOBAL_ARGS))),
    meta.examples && `Examples:\n${meta.examples.map((e) => `  ${e}`).join("\n")}`,
  ]);
}

/** The help page of a command group, or of the program. */
export async function groupUsage(path: readonly string[], group: Group, more?: string): Promise<string> {
  const rows: [string, string][] = [];
  for (const [word, load] of Object.entries(group.subCommands)) {
    const { meta } = await load();
    if (!meta.hidden) rows.push([word, meta.description]);
  }
  const line = ["proxy", ...path, "<command>", "[flags]"].join(" ");
  return page([
    group.meta.description,
    `Usage: ${line}`,
    block("Commands", rows),
    path.length === 0
      ? block("Global flags", [...flagRows(Object.entries(GLOBAL_ARGS)), ["-v, --version", "show the version"]])
      : undefined,
    more,
    `Help for a command: ${["proxy", ...path, "<command>", "--help"].join(" ")}`,
  ]);
}

const page = (parts: (string | undefined)[]) => `${parts.filter(Boolean).join("\n\n")}\n`;

function block(title: string, rows: [string, string][]): string | undefined {
  if (rows.length === 0) return undefined;
  const left = Math.max(...rows.map(([name]) => width(name)));
  return `${title}:\n${rows.map(([name, about]) => `  ${pad(name, left)}   ${about}`).join("\n")}`;
}

function flagRows(flags: [string, Arg][]): [string, string][] {
  return flags.map(([name, flag]) => [
    `${flag.alias ? `-${flag.alias},` : "   "} --${name}${valueHint(flag)}`,
    flag.many ? `${flag.description}; repeatable` : flag.description,
  ]);
}

function valueHint(flag: Arg): string {
  if (flag.type === "boolean") return "";
  return ` <${flag.valueHint ?? (flag.type === "string" && flag.number ? "n" : "text")}>`;
}
