import * as v from "valibot";
import { problemOf } from "../base/pattern/linear.ts";
import { CATEGORIES, SEVERITIES, STRIP_CLASSES } from "../schema/sensitive-finding.ts";
import { duration, form, integer, oneOf, strings } from "./fields.ts";

const about = v.description;

const CustomPattern = v.looseObject({
  name: v.pipe(
    v.string(),
    v.minLength(1, "a pattern needs a name"),
    v.maxLength(64),
    about("its findings are called so"),
  ),
  regex: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(1000, "must be at most 1000 characters"),
      v.rawCheck(({ dataset, addIssue }) => {
        const problem = dataset.typed ? problemOf(dataset.value) : undefined;
        if (problem !== undefined) addIssue({ message: `is no expression that can be used: ${problem}` });
      }),
      about(
        "expression without looking around and references back, so that no text can make it slow; `(?i)` in front: either case",
      ),
    ),
  ),
  keywords: v.optional(v.pipe(strings(), v.maxLength(200), about("words or phrases instead, in either case"))),
  severity: v.optional(v.pipe(oneOf(SEVERITIES), about("how bad a finding is")), "medium"),
  category: v.optional(v.pipe(v.string(), v.maxLength(64), about("its findings are of this kind")), "custom"),
});

const categories = Object.fromEntries(
  [...CATEGORIES, "custom"].map((category) => [
    category,
    v.optional(v.pipe(v.boolean(), about("whether it is looked for")), true),
  ]),
);

/** Reference 8.3; `block_requests` is ours. */
export const SensitiveData = v.looseObject({
  enabled: v.optional(v.pipe(v.boolean(), about("look for sensitive data in calls")), true),
  scan_requests: v.optional(v.pipe(v.boolean(), about("in their arguments")), true),
  scan_responses: v.optional(v.pipe(v.boolean(), about("in their answers")), true),
  max_payload_size_kb: v.optional(
    v.pipe(
      integer(1, 102_400),
      about("so much of each is searched (1024 characters), unless a policy refuses what is found: then all of it is"),
    ),
    1024,
  ),
  time_budget: v.optional(
    v.pipe(
      duration(50, 60_000, "50ms to 1m"),
      about(
        "longest work on the arguments of a call, and on its answer, under `block_requests` and `response_action` `redact` or `block`; what is not searched to its end by then is refused or withheld",
      ),
    ),
    "2s",
  ),
  entropy_threshold: v.optional(
    v.pipe(
      v.number("must be a number from 3 to 8"),
      v.check((n) => n >= 3 && n <= 8, "must be a number from 3 to 8"),
      form("number from 3 to 8"),
      about("bits per character from which on a run of letters and digits is taken for a key"),
    ),
    4.5,
  ),
  categories: v.optional(v.pipe(v.looseObject(categories), about("kinds that are looked for")), {}),
  custom_patterns: v.optional(
    v.pipe(v.array(CustomPattern), v.maxLength(100, "must be at most 100"), about("kinds of your own")),
    [],
  ),
  sensitive_keywords: v.optional(
    v.pipe(strings(), v.maxLength(200, "must be at most 200"), about("words or phrases of your own, in either case")),
    [],
  ),
  block_requests: v.optional(
    v.pipe(
      oneOf(["off", ...SEVERITIES]),
      about("refuse a call whose arguments hold something at least so severe, before its server sees it"),
    ),
    "off",
  ),
});

/** Reference 3.8. */
export const OutputSanitisation = v.looseObject({
  response_action: v.optional(
    v.pipe(
      oneOf(["spotlight", "off", "redact", "block"]),
      about(
        "`redact` takes sensitive data out of answers, `block` withholds an answer that holds something critical, `spotlight` and `off` leave them; with `off` nothing is framed either",
      ),
    ),
    "spotlight",
  ),
  strip_control_chars: v.optional(
    v.pipe(v.boolean(), about("remove invisible characters from answers and errors, before they are searched")),
    false,
  ),
  strip_classes: v.optional(
    v.pipe(
      v.array(oneOf(STRIP_CLASSES)),
      about("which of them are removed"),
      form("list of `ansi`, `c0c1`, `bidi`, `zero_width`"),
    ),
    [...STRIP_CLASSES],
  ),
  spotlight_untrusted: v.optional(
    v.pipe(v.boolean(), about("frame texts of answers and errors with lines that say where they come from")),
    false,
  ),
  trusted_servers: v.optional(
    v.pipe(
      strings(),
      about("servers whose texts are neither stripped nor framed; what a server says of itself does not count"),
    ),
    [],
  ),
});
