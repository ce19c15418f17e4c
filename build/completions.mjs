// @ts-check
/**
 * Generates completions for bash, zsh and fish from the command tree. Each finds the command in the line, skipping
 * flags and their values, and then offers that command's words, flags and values. `node build/completions.mjs
 * bash|zsh|fish` prints one.
 */

import { fileURLToPath } from "node:url";
import { readCommands } from "./commands.mjs";

/** @typedef {import("./commands.mjs").Command} Command @typedef {import("./commands.mjs").Arg} Arg */

/**
 * @typedef {object} Place
 * @property {string} at the command words, joined by spaces
 * @property {{ word: string, about: string }[]} words commands that may follow
 * @property {Arg[]} flags
 */

/** @param {{ root: Command, globals: Arg[] }} tree @returns {{ bash: string, zsh: string, fish: string }} */
export function completions({ root, globals }) {
  const found = places(root);
  const flags = [...globals, ...found.flatMap((p) => p.flags)];
  const valued = [...new Set(flags.filter((f) => f.type !== "boolean").flatMap(spellings))].sort();
  return { bash: bash(found, globals, valued), zsh: zsh(found, globals, valued), fish: fish(found, globals, valued) };
}

/** @param {Command} c @returns {Place[]} */
function places(c) {
  const words = c.commands.map((below) => ({ word: below.path.at(-1) ?? "", about: below.description }));
  const flags = c.args.filter((a) => a.type !== "positional");
  return [{ at: c.path.join(" "), words, flags }, ...c.commands.flatMap(places)];
}

/** @param {Arg} f */
const spellings = (f) => [`--${f.name}`, ...(f.alias ? [`-${f.alias}`] : [])];

/** The possible values of a flag. @param {Arg} f @returns {"files" | "folders" | readonly string[] | undefined} */
function values(f) {
  if (f.options) return f.options;
  if (f.valueHint === "file") return "files";
  return f.valueHint === "folder" ? "folders" : undefined;
}

/** @param {Place[]} found @param {Arg[]} globals @param {string[]} valued */
function bash(found, globals, valued) {
  const table = found.map((p) => {
    const offered = [...p.words.map((w) => w.word), ...[...p.flags, ...globals].flatMap(spellings)];
    return `    ${single(p.at)}) offered=${single(offered.join(" "))} ;;`;
  });
  const groups = found.filter((p) => p.words.length > 0);
  const steps = groups.flatMap((p) => p.words.map((w) => single([p.at, w.word].join(" ").trim())));
  const given = [...globals, ...found.flatMap((p) => p.flags)].flatMap((f) => {
    const v = values(f);
    if (v === undefined) return [];
    const how = v === "files" ? "-f" : v === "folders" ? "-d" : `-W ${single(v.join(" "))}`;
    return [`    ${spellings(f).join("|")}) COMPREPLY=($(compgen ${how} -- "$cur")); return ;;`];
  });
  return `# bash completion for proxy
_proxy() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at='' skip='' offered='' i word
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      --) return ;;
      ${valued.join("|")}) skip=1 ;;
      -*) ;;
      *) case "\${at:+$at }$word" in
          ${steps.join("|")}) at="\${at:+$at }$word" ;;
        esac ;;
    esac
  done
  case $prev in
${[...new Set(given)].join("\n")}
    ${valued.join("|")}) return ;;
  esac
  case $at in
${table.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$cur"))
}
complete -o filenames -o bashdefault -F _proxy proxy
`;
}

/** @param {Place[]} found @param {Arg[]} globals @param {string[]} valued */
function zsh(found, globals, valued) {
  const steps = found.flatMap((p) => p.words.map((w) => single([p.at, w.word].join(" ").trim())));
  const table = found.map((p) => {
    const flags = [...p.flags, ...globals].flatMap(specs).map(single);
    const words = p.words.map((w) => single(`${w.word}:${w.about.replaceAll(":", "\\:")}`));
    return `    ${single(p.at)})
      commands=(${words.join(" ")})
      flags=(${flags.join(" ")}) ;;`;
  });
  return `#compdef proxy
# zsh completion for proxy
_proxy() {
  local at='' skip='' word i
  local -a commands flags
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      --) _files; return ;;
      ${valued.join("|")}) skip=1 ;;
      -*) ;;
      *) case "\${at:+$at }$word" in
          ${steps.join("|")}) at="\${at:+$at }$word" ;;
        esac ;;
    esac
  done
  case $at in
${table.join("\n")}
  esac
  if [[ \${#commands} -gt 0 && \${words[CURRENT]} != -* && -z $skip ]]; then
    _describe -t commands command commands
    return
  fi
  _arguments -s : $flags '*: :_default'
}
if [[ $funcstack[1] == _proxy ]]; then _proxy "$@"; else compdef _proxy proxy; fi
`;
}

/** One line of `_arguments` for each spelling; each excludes the other. @param {Arg} f */
function specs(f) {
  const v = values(f);
  const action = v === "files" ? "_files" : v === "folders" ? "_files -/" : v ? `(${v.join(" ")})` : "";
  const value = f.type === "boolean" ? "" : `:${f.valueHint ?? "value"}:${action}`;
  const about = f.description.replace(/[[\]\\:]/g, "\\$&");
  const all = spellings(f);
  return all.map((name) => `${f.many ? "*" : `(${all.join(" ")})`}${name}[${about}]${value}`);
}

/** @param {Place[]} found @param {Arg[]} globals @param {string[]} valued */
function fish(found, globals, valued) {
  const steps = found.flatMap((p) => p.words.map((w) => single([p.at, w.word].join(" ").trim())));
  const lines = found.flatMap((p) => {
    const here = `-n ${single(`__proxy_at ${single(p.at).replaceAll("'", '"')}`)}`;
    return [
      ...p.words.map((w) => `complete -c proxy ${here} -f -a ${single(w.word)} -d ${single(w.about)}`),
      ...p.flags.map((f) => `complete -c proxy ${here} ${fishFlag(f)}`),
    ];
  });
  return `# fish completion for proxy
function __proxy_at
    set -l at
    set -l skip
    for word in (commandline -opc)[2..]
        if test -n "$skip"
            set skip
            continue
        end
        switch $word
            case ${valued.map(single).join(" ")}
                set skip 1
            case '-*'
            case '*'
                set -l next (string join ' ' $at $word)
                contains -- "$next" ${steps.join(" ")}; and set at $at $word
        end
    end
    test "$at" = "$argv"
end
${[...globals.map((f) => `complete -c proxy ${fishFlag(f)}`), ...lines].join("\n")}
`;
}

/** @param {Arg} f */
function fishFlag(f) {
  const v = values(f);
  const value =
    f.type === "boolean"
      ? ""
      : v === "files"
        ? " -r -F"
        : v === "folders"
          ? " -x -a '(__fish_complete_directories)'"
          : v
            ? ` -x -a ${single(v.join(" "))}`
            : " -x";
  return `${f.alias ? `-s ${f.alias} ` : ""}-l ${f.name} -d ${single(f.description)}${value}`;
}

/** Quotes a word for all shells. @param {string} t */
const single = (t) => `'${t.replaceAll("'", "'\\''")}'`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const shell = /** @type {"bash"} */ (process.argv[2]);
  const text = completions(await readCommands())[shell];
  if (text === undefined) throw new Error("say which: bash, zsh or fish");
  process.stdout.write(text);
}
