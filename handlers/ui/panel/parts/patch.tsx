const KINDS: Record<string, string> = { "+": "came", "-": "went", "@": "where" };
const SAID: Record<string, string> = { came: "added: ", went: "removed: " };

/** Shows a change of a file in the format of `diff -u`: with a sign, a colour and a text for screen readers. */
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
