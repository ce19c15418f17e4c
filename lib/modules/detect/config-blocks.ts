import * as v from "valibot";
import { patternProblem } from "../../core/base/pattern/linear.ts";
import { duration, formText, integer, oneOfWords, strings } from "../../core/config/fields.ts";
import { SENSITIVE_CATEGORIES, SENSITIVE_SEVERITIES, STRIP_CLASSES } from "../../core/schema/sensitive-finding.ts";

const about = v.description;

const CustomPattern = v.looseObject({
  name: v.pipe(v.string(), v.minLength(1, "a pattern needs a name"), v.maxLength(64), about("name of its findings")),
  regex: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(1000, "must be at most 1000 characters"),
      v.rawCheck(({ dataset, addIssue }) => {
        const problem = dataset.typed ? patternProblem(dataset.value) : undefined;
        if (problem !== undefined) addIssue({ message: `is not a supported regular expression: ${problem}` });
      }),
      about(
        "regular expression without look-around and backreferences (it runs in linear time); a leading `(?i)` ignores case",
      ),
    ),
  ),
  keywords: v.optional(
    v.pipe(strings(), v.maxLength(200), about("words or phrases to match instead of `regex`, ignoring case")),
  ),
  severity: v.optional(v.pipe(oneOfWords(SENSITIVE_SEVERITIES), about("severity of its findings")), "medium"),
  category: v.optional(v.pipe(v.string(), v.maxLength(64), about("category of its findings")), "custom"),
});

const categories = Object.fromEntries(
  [...SENSITIVE_CATEGORIES, "custom"].map((category) => [
    category,
    v.optional(v.pipe(v.boolean(), about("detect this category")), true),
  ]),
);

/** The configuration of detection (reference 8.3); `block_requests` is an extension of this proxy. */
export const SensitiveData = v.looseObject({
  enabled: v.optional(v.pipe(v.boolean(), about("detect sensitive data in tool calls")), true),
  scan_requests: v.optional(v.pipe(v.boolean(), about("search the arguments")), true),
  scan_responses: v.optional(v.pipe(v.boolean(), about("search the results")), true),
  max_payload_size_kb: v.optional(
    v.pipe(
      integer(1, 102_400),
      about(
        "maximum amount of each that is searched (units of 1024 characters); ignored if a policy blocks or redacts findings, because then everything is searched",
      ),
    ),
    1024,
  ),
  time_budget: v.optional(
    v.pipe(
      duration(50, 60_000, "50ms to 1m"),
      about(
        "maximum time to search the arguments of a call, and again its result, under `block_requests` and `response_action` `redact` or `block`; a call that exceeds it is rejected, a result that exceeds it is withheld",
      ),
    ),
    "2s",
  ),
  entropy_threshold: v.optional(
    v.pipe(
      v.number("must be a number from 3 to 8"),
      v.check((n) => n >= 3 && n <= 8, "must be a number from 3 to 8"),
      formText("number from 3 to 8"),
      about("minimum entropy (bits per character) at which a run of letters and digits counts as a key"),
    ),
    4.5,
  ),
  categories: v.optional(v.pipe(v.looseObject(categories), about("categories to detect")), {}),
  custom_patterns: v.optional(
    v.pipe(v.array(CustomPattern), v.maxLength(100, "must be at most 100"), about("additional patterns")),
    [],
  ),
  sensitive_keywords: v.optional(
    v.pipe(strings(), v.maxLength(200, "must be at most 200"), about("additional words or phrases, ignoring case")),
    [],
  ),
  block_requests: v.optional(
    v.pipe(
      oneOfWords(["off", ...SENSITIVE_SEVERITIES]),
      about(
        "reject a call whose arguments contain a finding of at least this severity, before the server receives it; `off`: reject none",
      ),
    ),
    "off",
  ),
});

/** The configuration of output sanitisation (reference 3.8). */
export const OutputSanitisation = v.looseObject({
  response_action: v.optional(
    v.pipe(
      oneOfWords(["spotlight", "off", "redact", "block"]),
      about(
        "`redact` removes sensitive data from results, `block` withholds a result with a critical finding, `spotlight` and `off` do not change results; `off` also disables `spotlight_untrusted`",
      ),
    ),
    "spotlight",
  ),
  strip_control_chars: v.optional(
    v.pipe(v.boolean(), about("remove invisible characters from results and errors before they are searched")),
    false,
  ),
  strip_classes: v.optional(
    v.pipe(
      v.array(oneOfWords(STRIP_CLASSES)),
      about("classes of characters to remove"),
      formText("list of `ansi`, `c0c1`, `bidi`, `zero_width`"),
    ),
    [...STRIP_CLASSES],
  ),
  spotlight_untrusted: v.optional(
    v.pipe(v.boolean(), about("enclose the texts of results and errors in lines that name their source")),
    false,
  ),
  trusted_servers: v.optional(
    v.pipe(
      strings(),
      about("names of servers whose texts are neither stripped nor enclosed; a server cannot declare itself trusted"),
    ),
    [],
  ),
});
