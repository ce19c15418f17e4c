import { sentenceEnd } from "../base/first-sentence.ts";
import type { ToolDefinition } from "../schema/tool.ts";
import { parameterWords } from "./parameter-words.ts";

/** The weight of a term by the part of the tool that contains it. */
const WEIGHT = { name: 1, server: 0.8, firstSentence: 1, description: 0.7, parameter: 0.3, parameterText: 0.25 };
/** If several parts contain the term, this share of the weight of each further part is added. */
const FURTHER_PLACES = 0.2;
/** The more terms a tool has, the less each counts: weight / (1 + this × number of terms). */
const LENGTH_DAMP = 0.01;
/** Number of characters that are read of a tool's description, and of the texts of its parameters. */
const MAX_TEXT = 20_000;

/** The members of a tool that the search uses. */
export type SearchableTool = ToolDefinition & { readonly id: string; readonly server: string };

/**
 * Returns the terms of a tool with their weights.
 *
 * @param termsOf returns the terms of one text, each once
 */
export function termWeights(tool: SearchableTool, termsOf: (text: string) => readonly string[]): Map<string, number> {
  const description = tool.description.trim().slice(0, MAX_TEXT);
  const end = sentenceEnd(description);
  const { names, texts } = parameterWords(tool.inputSchema);
  const title = tool.title ?? tool.annotations?.title ?? "";
  const weightedTexts: [readonly string[], number][] = [
    [termsOf(tool.name), WEIGHT.name],
    [termsOf(tool.server), WEIGHT.server],
    [termsOf(`${title}\n${description.slice(0, end)}`), WEIGHT.firstSentence],
    [termsOf(description.slice(end)), WEIGHT.description],
  ];
  const damp = 1 + LENGTH_DAMP * new Set(weightedTexts.flatMap(([terms]) => terms)).size;
  const places = [
    ...weightedTexts,
    [termsOf(names.join(" ").slice(0, MAX_TEXT)), WEIGHT.parameter] as const,
    [termsOf(texts.join("\n").slice(0, MAX_TEXT)), WEIGHT.parameterText] as const,
  ];
  const weights = new Map<string, number>();
  const sum = new Map<string, number>();
  for (const [terms, weight] of places)
    for (const term of terms) {
      weights.set(term, Math.max(weights.get(term) ?? 0, weight));
      sum.set(term, (sum.get(term) ?? 0) + weight);
    }
  return new Map([...weights].map(([term, w]) => [term, (w + FURTHER_PLACES * (sum.get(term)! - w)) / damp]));
}
