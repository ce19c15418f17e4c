import { excerpt } from "../../../../core/base/excerpt.ts";
import type { RuleFinding, ScannedText } from "../../../../core/schema/rule-finding.ts";
import type { Clause } from "../clause.ts";
import { featuresOf, type Setting, type Sink } from "./features.ts";
import model from "./weights.json";

/** A sentence with the findings of the rules. */
interface Sentence {
  readonly c: Clause;
  readonly part: ScannedText;
  readonly found: readonly RuleFinding[];
  readonly setting: Setting;
  readonly previous: Clause | undefined;
  /** The original text. */
  readonly text: string;
}

/** Examines the sentences of a tool, one after another. */
export interface Reader {
  read(sentence: Sentence): void;
  /** The findings after the last sentence. */
  findings(): RuleFinding[];
}

/** The weights: one signed byte for each feature. */
const weights = Int8Array.from(Buffer.from(model.weights, "base64"));
const GRAVE = new Set(["critical", "high", "medium"]);

/**
 * Scores each sentence with a linear model (`weights.json`, trained by `test/bench/train-scan.ts`) and reports the one
 * that is most similar to poisoned texts, if its score is high enough (rule `model.suspicious`). It reports at most one
 * finding of medium severity. The findings of the rules are features of the model, so it adds nothing to a sentence
 * with a severe finding.
 */
export function modelReader(): Reader {
  let highest = Number.NEGATIVE_INFINITY;
  let worst: Sentence | undefined;
  return {
    read(sentence) {
      const weight = weigh(sentence);
      if (weight <= highest) return;
      highest = weight;
      worst = sentence;
    },
    findings() {
      if (!worst || highest < model.threshold || worst.found.some(({ severity }) => GRAVE.has(severity))) return [];
      return [
        {
          rule: "model.suspicious",
          severity: "medium",
          location: worst.part.location,
          excerpt: excerpt(worst.text),
          explanation: "the wording resembles texts that manipulate a model",
        },
      ];
    },
  };
}

/** The sum of the weights of a sentence's features. */
function weigh({ c, part, found, setting, previous }: Sentence): number {
  let sum = 0;
  const sink: Sink = (feature, share) => {
    sum += weights[feature]! * share;
  };
  featuresOf(c, part, found, setting, previous, sink);
  return sum * model.scale + model.bias;
}
