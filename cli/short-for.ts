import type { Command, Meta } from "./command.ts";

/** Declares a short word at the top level for a command below a noun: `proxy ls` for `proxy upstream list`. */
export function shortFor(
  words: string,
  original: Command,
  { word, group }: { word: string; group: NonNullable<Meta["group"]> },
): Command {
  const { description, examples } = original.meta;
  return {
    ...original,
    meta: {
      ...original.meta,
      group,
      description: `${description} (short for ${words})`,
      ...(examples && { examples: examples.map((line) => line.replace(`proxy ${words}`, `proxy ${word}`)) }),
    },
  };
}
