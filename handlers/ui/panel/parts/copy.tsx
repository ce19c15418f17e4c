import { useEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { toast } from "./toast.tsx";

/** Copies a text to the clipboard and confirms it at the button. */
export function Copy({ text, label = "Copy", words = false }: { text: string; label?: string; words?: boolean }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1600);
    return () => clearTimeout(timer);
  }, [done]);
  const run = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
    } catch {
      // Browsers allow clipboard access on secure pages only, which plain HTTP in a network is not.
      toast("the browser does not allow clipboard access on a page without https; select and copy the text instead", {
        tone: "bad",
      });
    }
  };
  return (
    <Button small kind="bare" icon={done ? "check" : "copy"} label={done ? "Copied" : label} onClick={run}>
      {words ? (done ? "Copied" : label) : undefined}
    </Button>
  );
}

/** Text to be copied, such as a command or a piece of configuration. */
export function Snippet({ text, label }: { text: string; label: string }) {
  return (
    <div class="snippet">
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
      <Copy text={text} label={`Copy ${label}`} />
    </div>
  );
}
