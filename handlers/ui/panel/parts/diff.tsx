import { diffWordsWithSpace } from "diff";
import { useMemo } from "preact/hooks";

/**
 * Characters that a reader does not see and a model does: zero-width ones, marks of direction, tags, odd spaces. They
 * are shown by their number.
 */
const UNSEEN =
  /\u00ad|\u034f|\u061c|[\u115f\u1160\u17b4\u17b5]|\u180e|[\u200b-\u200f\u202a-\u202e\u2060-\u206f]|\u3164|\ufeff|\uffa0|[\u{e0000}-\u{e0fff}]/gu;

/** A text with what cannot be seen in it made visible. */
export function Visible({ text }: { text: string }) {
  if (text.search(UNSEEN) < 0) return <>{text}</>;
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(UNSEEN)) {
    parts.push(text.slice(from, found.index));
    const code = found[0].codePointAt(0) ?? 0;
    parts.push(
      <mark class="unseen" title="a character that is not seen">
        {`U+${code.toString(16).toUpperCase().padStart(4, "0")}`}
      </mark>,
    );
    from = found.index + found[0].length;
  }
  return <>{[...parts, text.slice(from)]}</>;
}

export interface CompareProps {
  /** What was approved. */
  before: string;
  /** What it is now. */
  after: string;
  /** JSON is laid out the same on both sides first. */
  json?: boolean;
  labels?: readonly [before: string, after: string];
}

/** Old and new side by side, each word that went or came marked; below each other where there is no room. */
export function Compare({ before, after, json = false, labels = ["Approved", "Now"] }: CompareProps) {
  const [old, now] = json ? [laidOut(before), laidOut(after)] : [before, after];
  const changes = useMemo(() => diffWordsWithSpace(old, now), [old, now]);
  const side = (mine: "removed" | "added") =>
    changes.map((c, i) => {
      const other = mine === "removed" ? c.added : c.removed;
      if (other) return null;
      const Mark = mine === "removed" ? "del" : "ins";
      const shown = <Visible text={c.value} />;
      return c[mine] ? <Mark key={i}>{shown}</Mark> : <span key={i}>{shown}</span>;
    });
  return (
    <div class="compare">
      {(["removed", "added"] as const).map((mine, i) => {
        const empty = (i === 0 ? old : now) === "";
        return (
          <figure key={mine}>
            <figcaption>{labels[i]}</figcaption>
            <pre class={json ? "mono" : "text"} tabIndex={0} role="group" aria-label={labels[i]}>
              {empty ? <em>(nothing)</em> : side(mine)}
            </pre>
          </figure>
        );
      })}
    </div>
  );
}

/** JSON text with one member a line; what is no JSON stays. */
export function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
