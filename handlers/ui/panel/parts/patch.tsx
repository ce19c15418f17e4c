const KINDS: Record<string, string> = { "+": "came", "-": "went", "@": "where" };
const SIGN_LABELS: Record<string, string> = { came: "added: ", went: "removed: " };

/** Shows a change of a file in the format of `diff -u`: with a sign, a colour and a text for screen readers. */
export function PatchText({ text, label }: { text: string; label: string }) {
  return (
    <pre class="patch" tabIndex={0} role="group" aria-label={label}>
      {text.split("\n").map((line, i) => {
        const kind = KINDS[line.slice(0, 1)] ?? "same";
        return (
          <span key={i} class={kind}>
            {SIGN_LABELS[kind] && <span class="unsaid">{SIGN_LABELS[kind]}</span>}
            {line === "" ? " " : line}
          </span>
        );
      })}
    </pre>
  );
}
