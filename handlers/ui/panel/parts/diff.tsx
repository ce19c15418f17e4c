import { diffLines, diffWordsWithSpace } from "diff";
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

interface CompareProps {
  /** What was approved. */
  before: string;
  /** What it is now. */
  after: string;
  /** JSON is laid out the same on both sides first. */
  json?: boolean;
  labels?: readonly [before: string, after: string];
}

/** A piece of both texts, or of one of them; `folded` stands for lines that are alike on both sides. */
interface Piece {
  is: "same" | "removed" | "added" | "folded";
  text: string;
}

/** Lines that are alike are shown this far around each change; longer runs are folded. */
const AROUND = 3;

/** What became of one text: lines first, then the words within the lines that changed. */
function piecesOf(before: string, after: string): Piece[] {
  const parts = diffLines(before, after);
  return parts.flatMap((part, i): Piece[] => {
    const [last, next] = [parts[i - 1], parts[i + 1]];
    if (part.removed && next?.added) {
      return diffWordsWithSpace(part.value, next.value).map((word) => ({
        is: word.removed ? "removed" : word.added ? "added" : "same",
        text: word.value,
      }));
    }
    // Told with what it took the place of.
    if (part.added && last?.removed) return [];
    if (part.removed || part.added) return [{ is: part.removed ? "removed" : "added", text: part.value }];
    return folded(part.value, last !== undefined, next !== undefined);
  });
}

/** A run of lines that are alike, with what is not near a change left out. */
function folded(text: string, changedBefore: boolean, changedAfter: boolean): Piece[] {
  const lines = text.split(/(?<=\n)/);
  const head = changedBefore ? AROUND : 0;
  const tail = changedAfter ? AROUND : 0;
  const hidden = lines.length - head - tail;
  if (hidden < 3 || (!changedBefore && !changedAfter)) return [{ is: "same", text }];
  const count = `${hidden} unchanged lines`;
  return [
    { is: "same", text: lines.slice(0, head).join("") },
    { is: "folded", text: count },
    { is: "same", text: lines.slice(lines.length - tail).join("") },
  ];
}

/** Old and new side by side, each word that went or came marked; below each other where there is no room. */
export function Compare({ before, after, json = false, labels = ["Approved", "Now"] }: CompareProps) {
  const [old, now] = json ? [laidOut(before), laidOut(after)] : [before, after];
  const pieces = useMemo(() => piecesOf(old, now), [old, now]);
  return (
    <div class="compare">
      {(["removed", "added"] as const).map((mine, i) => {
        const empty = (i === 0 ? old : now) === "";
        return (
          <figure key={mine}>
            <figcaption>{labels[i]}</figcaption>
            <pre class={json ? "mono" : "text"} tabIndex={0} role="group" aria-label={labels[i]}>
              {empty ? <em>(nothing)</em> : <Side pieces={pieces} mine={mine} />}
            </pre>
          </figure>
        );
      })}
    </div>
  );
}

function Side({ pieces, mine }: { pieces: readonly Piece[]; mine: "removed" | "added" }) {
  const Mark = mine === "removed" ? "del" : "ins";
  return (
    <>
      {pieces.map(({ is, text }, i) => {
        if (is === "folded")
          return (
            <span key={i} class="folded">
              {text}
            </span>
          );
        if (is !== "same" && is !== mine) return null;
        const shown = <Visible text={text} />;
        return is === mine ? <Mark key={i}>{shown}</Mark> : <span key={i}>{shown}</span>;
      })}
    </>
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
