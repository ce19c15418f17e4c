const KINDS: Record<string, string> = { "+": "came", "-": "went", "@": "where" };
const SAID: Record<string, string> = { came: "added: ", went: "removed: " };

/** What changes in a file, line by line, as `diff -u` tells it: with a sign and a colour, and a word for those who see neither. */
export function PatchText({ text, label }: { text: string; label: string }) {
  return (
    <pre class="patch" tabIndex={0} role="group" aria-label={label}>
      {text.split("\n").map((line, i) => {
        const kind = KINDS[line.slice(0, 1)] ?? "same";
        return (
          <span key={i} class={kind}>
            {SAID[kind] && <span class="unsaid">{SAID[kind]}</span>}
            {line === "" ? " " : line}
          </span>
        );
      })}
    </pre>
  );
}
