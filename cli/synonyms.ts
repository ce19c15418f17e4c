/**
 * Command words of other programs, and the words of this program with the same meaning. The proxy only suggests the
 * command and does not run it.
 */
const VERBS: readonly (readonly string[])[] = [
  ["list", "ls", "ps", "all"],
  ["remove", "rm", "delete", "del", "uninstall", "revoke"],
  ["show", "info", "get", "describe", "inspect", "cat", "view"],
  ["add", "create", "new", "set", "install"],
  ["patch", "edit", "update", "change", "set"],
  ["logs", "log"],
  ["search", "find"],
  ["unquarantine", "release", "trust"],
];

/** Complete commands for unknown words at the top level, where the noun is missing. */
export const AT_TOP: Readonly<Record<string, readonly string[]>> = {
  add: ["upstream add"],
  approve: ["review", "tools approve"],
  block: ["tools block"],
  clients: ["connect list"],
  delete: ["rm"],
  disable: ["upstream disable"],
  disconnect: ["connect remove"],
  enable: ["upstream enable"],
  exec: ["code exec"],
  find: ["tools search"],
  health: ["status", "doctor"],
  history: ["activity list", "config history"],
  install: ["registry install", "upstream add"],
  list: ["ls", "tools list"],
  log: ["logs", "activity list"],
  login: ["upstream login"],
  panel: ["ui"],
  release: ["upstream unquarantine"],
  remove: ["rm"],
  run: ["serve", "call"],
  scan: ["security scan"],
  search: ["tools search"],
  servers: ["ls"],
  show: ["upstream show"],
  start: ["up", "serve"],
  stop: ["down"],
  update: ["upgrade"],
  unquarantine: ["upstream unquarantine"],
  watch: ["activity watch"],
};

/**
 * The commands that an unknown word may stand for.
 *
 * @param path words before it; empty at the top level
 * @param known valid words in its place
 * @returns complete commands after `proxy` that exist
 */
export function synonyms(word: string, path: readonly string[], known: readonly string[]): string[] {
  if (path.length === 0) return [...(Object.hasOwn(AT_TOP, word) ? AT_TOP[word]! : [])];
  const same = VERBS.filter((verbs) => verbs.includes(word)).flat();
  return known.filter((name) => same.includes(name)).map((name) => [...path, name].join(" "));
}
