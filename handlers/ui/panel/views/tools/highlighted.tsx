import { Visible } from "../../parts/diff.tsx";

/** Minimum length of a marked word; shorter words occur in every text (characters). */
const MIN_WORD_CHARACTERS = 3;

/**
 * Marks the words of a search in a text, regardless of their endings: `file` also marks `files`. Synonyms, which the
 * search also finds, are not marked.
 */
export function Highlighted({ text, query }: { text: string; query: string }) {
  const stems = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((w) => w.length >= MIN_WORD_CHARACTERS)
    .map(stem);
  if (stems.length === 0) return <Visible text={text} />;
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const word = found[0].toLowerCase();
    if (!stems.some((s) => word.startsWith(s) && word.length - s.length <= MIN_WORD_CHARACTERS)) continue;
    parts.push(<Visible key={from} text={text.slice(from, found.index)} />);
    parts.push(
      <mark key={`m${found.index}`} class="hit">
        {found[0]}
      </mark>,
    );
    from = found.index + found[0].length;
  }
  return (
    <>
      {parts}
      <Visible text={text.slice(from)} />
    </>
  );
}

const stem = (word: string) => (word.length > MIN_WORD_CHARACTERS + 1 ? word.replace(/(ing|ed|es|s|e)$/, "") : word);
