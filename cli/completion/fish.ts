import { flagValues, globalFlags, type NamedArg, type Place, single, valuedFlags } from "./places.ts";

/** The completion script for fish. */
export function fishCompletion(places: readonly Place[]): string {
  const steps = places.flatMap(({ at, words }) => words.map(({ word }) => single([at, word].join(" ").trim())));
  const lines = places.flatMap(({ at, words, flags, names }) => {
    const here = `-n ${single(`__proxy_at ${single(at).replaceAll("'", '"')}`)}`;
    return [
      ...words.map(({ word, about }) => `complete -c proxy ${here} -f -a ${single(word)} -d ${single(about)}`),
      ...(names === undefined ? [] : [`complete -c proxy ${here} -f -a '(__proxy_names ${names})'`]),
      ...flags.map((flag) => `complete -c proxy ${here} ${fishFlag(flag)}`),
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
            case ${valuedFlags(places).map(single).join(" ")}
                set skip 1
            case '-*'
            case '*'
                set -l next (string join ' ' $at $word)
                contains -- "$next" ${steps.join(" ")}; and set at $at $word
        end
    end
    test "$at" = "$argv"
end
# Offers the names that the running proxy has.
function __proxy_names
    set -l words (commandline -opc)
    $words[1] __complete $argv[1] (commandline -ct) $words[2..] 2>/dev/null
end
${[...globalFlags().map((flag) => `complete -c proxy ${fishFlag(flag)}`), ...lines].join("\n")}
`;
}

function fishFlag(flag: NamedArg): string {
  return `${flag.alias ? `-s ${flag.alias} ` : ""}-l ${flag.name} -d ${single(flag.description)}${fishValue(flag)}`;
}

function fishValue(flag: NamedArg): string {
  const values = flagValues(flag);
  if (flag.type === "boolean") return "";
  if (flag.names !== undefined) return ` -x -a '(__proxy_names ${flag.names})'`;
  if (values === "files") return " -r -F";
  if (values === "folders") return " -x -a '(__fish_complete_directories)'";
  return values ? ` -x -a ${single(values.join(" "))}` : " -x";
}
