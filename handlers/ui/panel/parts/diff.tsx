import { diffLines, diffWordsWithSpace } from "diff";
import { useMemo } from "preact/hooks";

/**
 * Characters that people do not see and models read: zero-width characters, direction marks, tags, unusual spaces. They
 * are shown as code points.
 */
const UNSEEN =
  /\u00ad|\u034f|\u061c|[\u115f\u1160\u17b4\u17b5]|\u180e|[\u200b-\u200f\u202a-\u202e\u2060-\u206f]|\u3164|\ufeff|\uffa0|[\u{e0000}-\u{e0fff}]/gu;

/** Shows a text with invisible characters as code points. */
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
  /** The approved text. */
  before: string;
  /** The current text. */
  after: string;
  /** Format both sides as JSON first. */
  json?: boolean;
  labels?: readonly [before: string, after: string];
}

/** A part of both texts, or of one of them; `folded` stands for unchanged lines. */
interface Piece {
  is: "same" | "removed" | "added" | "folded";
  text: string;
}

/** Number of unchanged lines around each change; longer runs are folded. */
const AROUND = 3;

/** Compares two texts: by lines first, then by words within changed lines. */
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
    // Shown together with the part that it replaced.
    if (part.added && last?.removed) return [];
    if (part.removed || part.added) return [{ is: part.removed ? "removed" : "added", text: part.value }];
    return folded(part.value, last !== undefined, next !== undefined);
  });
}

/** Folds unchanged lines that are not near a change. */
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

/** Shows two texts side by side, or one below the other on narrow screens, with changed words marked. */
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

/** Formats JSON with one member per line; other text is unchanged. */
export function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
