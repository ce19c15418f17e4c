import { sentenceEnd } from "../base/first-sentence.ts";
import type { ToolDefinition } from "../schema/tool.ts";
import { parameterWords } from "./parameter-words.ts";

/** How much a term counts by where it stands. */
const WEIGHT = { name: 1, server: 0.8, firstSentence: 1, description: 0.7, parameter: 0.3, parameterText: 0.25 };
/** What a term gains by standing in further places, as a share of their weight. */
const FURTHER_PLACES = 0.2;
/** A tool of many words says less with each: weight / (1 + this × words). */
const LENGTH_DAMP = 0.01;
/** Characters of one tool's description, and of its parameters' texts, that are read. */
const MAX_TEXT = 20_000;

/** What a tool is found by. */
export type SearchableTool = ToolDefinition & { readonly id: string; readonly server: string };

/**
 * The terms a tool is found by, with their weights.
 *
 * @param termsOf the terms of one text, each once
 */
export function termWeights(tool: SearchableTool, termsOf: (text: string) => readonly string[]): Map<string, number> {
  const description = tool.description.trim().slice(0, MAX_TEXT);
  const end = sentenceEnd(description);
  const { names, texts } = parameterWords(tool.inputSchema);
  const title = tool.title ?? tool.annotations?.title ?? "";
  const said: [readonly string[], number][] = [
    [termsOf(tool.name), WEIGHT.name],
    [termsOf(tool.server), WEIGHT.server],
    [termsOf(`${title}\n${description.slice(0, end)}`), WEIGHT.firstSentence],
    [termsOf(description.slice(end)), WEIGHT.description],
  ];
  const damp = 1 + LENGTH_DAMP * new Set(said.flatMap(([terms]) => terms)).size;
  const places = [
    ...said,
    [termsOf(names.join(" ").slice(0, MAX_TEXT)), WEIGHT.parameter] as const,
    [termsOf(texts.join("\n").slice(0, MAX_TEXT)), WEIGHT.parameterText] as const,
  ];
  const most = new Map<string, number>();
  const sum = new Map<string, number>();
  for (const [terms, weight] of places)
    for (const term of terms) {
      most.set(term, Math.max(most.get(term) ?? 0, weight));
      sum.set(term, (sum.get(term) ?? 0) + weight);
    }
  return new Map([...most].map(([term, w]) => [term, (w + FURTHER_PLACES * (sum.get(term)! - w)) / damp]));
}
