import { flagValues, globalFlags, type Place, single, spellings, valuedFlags } from "./places.ts";

/** The completion script for bash. */
export function bashCompletion(places: readonly Place[]): string {
  const globals = globalFlags();
  const valued = valuedFlags(places);
  const table = places.map((place) => {
    const offered = [...place.words.map(({ word }) => word), ...[...place.flags, ...globals].flatMap(spellings)];
    const names = place.names === undefined ? "" : ` names=${place.names}`;
    return `    ${single(place.at)}) offered=${single(offered.join(" "))}${names} ;;`;
  });
  const groups = places.filter(({ words }) => words.length > 0);
  const steps = groups.flatMap(({ at, words }) => words.map(({ word }) => single([at, word].join(" ").trim())));
  const given = [...globals, ...places.flatMap(({ flags }) => flags)].flatMap((flag) => {
    const values = flagValues(flag);
    if (values === undefined) return [];
    const how = values === "files" ? "-f" : values === "folders" ? "-d" : `-W ${single(values.join(" "))}`;
    return [`    ${spellings(flag).join("|")}) COMPREPLY=($(compgen ${how} -- "$cur")); return ;;`];
  });
  const named = places.flatMap(({ at, flags }) =>
    flags.flatMap((flag) =>
      flag.names === undefined
        ? []
        : [
            `    ${spellings(flag)
              .map((word) => single(`${at} ${word}`))
              .join("|")}) _proxy_names ${flag.names}; return ;;`,
          ],
    ),
  );
  return `# bash completion for proxy
# Offers the names that the running proxy has. A tool is server:tool, and bash may split words at the colon.
_proxy_names() {
  local full=$cur strip='' name
  if [[ $cur == : ]]; then full="\${COMP_WORDS[COMP_CWORD-1]}:"; strip=$full
  elif [[ $prev == : ]]; then full="\${COMP_WORDS[COMP_CWORD-2]}:$cur"; strip="\${COMP_WORDS[COMP_CWORD-2]}:"; fi
  while IFS= read -r name; do
    [[ $name == *: ]] && compopt -o nospace 2>/dev/null
    COMPREPLY+=("\${name#"$strip"}")
  done < <("\${COMP_WORDS[0]}" __complete "$1" "$full" "\${COMP_WORDS[@]:1}" 2>/dev/null)
}
_proxy() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at='' skip='' offered='' names='' i word
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
  case "$at $prev" in
${named.join("\n")}
  esac
  case $prev in
${[...new Set(given)].join("\n")}
    ${valued.join("|")}) return ;;
  esac
  case $at in
${table.join("\n")}
  esac
  if [[ -n $names && $cur != -* ]]; then _proxy_names "$names"; return; fi
  COMPREPLY=($(compgen -W "$offered" -- "$cur"))
}
complete -o filenames -o bashdefault -F _proxy proxy
`;
}
