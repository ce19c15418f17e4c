import { flagValues, globalFlags, type NamedArg, type Place, single, spellings, valuedFlags } from "./places.ts";

/** The completion script for zsh. */
export function zshCompletion(places: readonly Place[]): string {
  const globals = globalFlags();
  const steps = places.flatMap(({ at, words }) => words.map(({ word }) => single([at, word].join(" ").trim())));
  const table = places.map((place) => {
    const flags = [...place.flags, ...globals].flatMap(specs).map(single);
    const words = place.words.map(({ word, about }) => single(`${word}:${about.replaceAll(":", "\\:")}`));
    return `    ${single(place.at)})
      commands=(${words.join(" ")})
      flags=(${flags.join(" ")})
      names=${place.names ?? "''"} ;;`;
  });
  return `#compdef proxy
# zsh completion for proxy
# Offers the names that the running proxy has; a server of a tool (server:) is followed by no space.
_proxy_names() {
  local -a found
  found=(\${(f)"$(\${(Q)words[1]} __complete $1 "\${(Q)PREFIX}" \${(Q)words[2,-1]} 2>/dev/null)"})
  compadd -S '' -- \${(M)found:#*:}
  compadd -- \${found:#*:}
}
_proxy() {
  local at='' skip='' word i names=''
  local -a commands flags
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      --) _files; return ;;
      ${valuedFlags(places).join("|")}) skip=1 ;;
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
  if [[ -n $names ]]; then _arguments -s : $flags "*: :_proxy_names $names"
  else _arguments -s : $flags '*: :_default'; fi
}
if [[ $funcstack[1] == _proxy ]]; then _proxy "$@"; else compdef _proxy proxy; fi
`;
}

/** One line of `_arguments` for each spelling; each excludes the other. */
function specs(flag: NamedArg): string[] {
  const values = flagValues(flag);
  const action =
    flag.names !== undefined
      ? `_proxy_names ${flag.names}`
      : values === "files"
        ? "_files"
        : values === "folders"
          ? "_files -/"
          : values
            ? `(${values.join(" ")})`
            : "";
  const hint = "valueHint" in flag ? flag.valueHint : undefined;
  const value = flag.type === "boolean" ? "" : `:${hint ?? "value"}:${action}`;
  const about = flag.description.replace(/[[\]\\:]/g, "\\$&");
  const all = spellings(flag);
  return all.map((name) => `${flag.many ? "*" : `(${all.join(" ")})`}${name}[${about}]${value}`);
}
