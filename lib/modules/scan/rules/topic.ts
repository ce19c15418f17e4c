import type { ToolDefinition } from "../../../core/schema/tool.ts";
import { namesAttacks, plainForm } from "./lexicon.ts";
import { normalised } from "./normalise.ts";
import { phraseOf } from "./phrase.ts";
import { CONCEPTS, type Concept } from "./words/concepts.ts";

/** The topic of a tool, from its name, the first sentence of its description, and the names of its parameters. */
export interface Topic {
  readonly concepts: ReadonlySet<Concept>;
  readonly parameters: ReadonlySet<string>;
}

export const NO_TOPIC: Topic = { concepts: new Set(), parameters: new Set() };

/** Longest part of a description that defines the topic (characters), and maximum number of parameters. */
const MAX_TOPIC_CHARACTERS = 240;
const MAX_READ = 960;
const MAX_PARAMETERS = 500;

/** Determines the topic of a tool. An order in the same sentence is still reported. */
export function topicOf(tool: ToolDefinition): Topic {
  const opening = (tool.description ?? "").slice(0, MAX_TOPIC_CHARACTERS).split(/(?<=[.!?。！？])\s|\n/, 1)[0] ?? "";
  const named = wordsOf(tool.name);
  const concepts = new Set<Concept>();
  const openingPhrase = phraseOf(normalised(opening));
  for (const { hits } of [phraseOf(named), openingPhrase])
    hits.forEach((spans, id) => {
      if (spans) concepts.add(CONCEPTS[id]!);
    });
  // A catalogue of attacks mentions them often.
  const start = normalised((tool.description ?? "").slice(0, MAX_READ)).slice(0, MAX_READ);
  if (namesAttacks(plainForm(start), 3)) concepts.add("attack");
  // A first sentence that gives an order does not define the topic.
  if (openingPhrase.hits[0] && /\b(?:must|always|ignore|before you)\b/i.test(opening))
    return { ...NO_TOPIC, parameters: parametersOf(tool) };
  return { concepts, parameters: parametersOf(tool) };
}

/** Splits a name into words: `getUserName`, `get_user-name` → `get user name`. */
export function wordsOf(name: string): string {
  return normalised(name.replace(/([a-z\d])([A-Z])/g, "$1 $2").replace(/[_./:-]+/g, " "));
}

function parametersOf(tool: ToolDefinition): ReadonlySet<string> {
  const { properties } = tool.inputSchema as { properties?: unknown };
  if (typeof properties !== "object" || properties === null) return new Set();
  return new Set(
    Object.keys(properties)
      .slice(0, MAX_PARAMETERS)
      .map((name) => normalised(name)),
  );
}
