import { GLOBAL_ARGS } from "./args.ts";
import { type Arg, type Command, type Group, HELP_GROUPS, type Meta } from "./command.ts";
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
  const entries: [word: string, meta: Meta][] = [];
  for (const [word, load] of Object.entries(group.subCommands)) {
    const { meta } = await load();
    if (!meta.hidden) entries.push([word, meta]);
  }
  const line = ["proxy", ...path, "<command>", "[flags]"].join(" ");
  return page([
    group.meta.description,
    `Usage: ${line}`,
    ...(path.length === 0 ? groupedBlocks(entries) : [block("Commands", rowsOf(entries))]),
    path.length === 0
      ? block("Global flags", [...flagRows(Object.entries(GLOBAL_ARGS)), ["-v, --version", "show the version"]])
      : undefined,
    more,
    `Help for a command: ${["proxy", ...path, "<command>", "--help"].join(" ")}`,
  ]);
}

const rowsOf = (entries: readonly [string, Meta][]) =>
  entries.map(([word, meta]): [string, string] => [word, meta.description]);

/** `proxy help …` is another way to write `--help`, so it has no file of its own. */
const HELP: [string, string] = ["help", "Show the help of a command"];

/** One block for each part of the help page; all blocks have the same indentation. */
function groupedBlocks(entries: readonly [string, Meta][]): (string | undefined)[] {
  const left = Math.max(0, ...entries.map(([word]) => width(word)));
  return Object.entries(HELP_GROUPS).map(([key, title]) => {
    const rows = rowsOf(entries.filter(([, { group = "program" }]) => group === key));
    return block(title, key === "program" ? [...rows, HELP] : rows, left);
  });
}

const page = (parts: (string | undefined)[]) => `${parts.filter(Boolean).join("\n\n")}\n`;

function block(title: string, rows: [string, string][], minWidth = 0): string | undefined {
  if (rows.length === 0) return undefined;
  const left = Math.max(minWidth, ...rows.map(([name]) => width(name)));
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
