/** The flags that select the proxy, by their spellings. */
const SELECTING: Readonly<Record<string, string>> = {
  "-c": "config",
  "--config": "config",
  "-d": "data-dir",
  "--data-dir": "data-dir",
  "--url": "url",
  "--api-key": "api-key",
};

/** The flags that select the proxy, from a line that may be incomplete otherwise. */
export function flagsIn(line: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [i, word] of line.entries()) {
    const [, flag = word, inline] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    const name = Object.hasOwn(SELECTING, flag) ? SELECTING[flag] : undefined;
    const value = inline ?? line[i + 1];
    if (name !== undefined && value) found[name] = value;
  }
  return found;
}
