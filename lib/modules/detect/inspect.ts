import type { App } from "../../core/app.ts";
import { durationMs } from "../../core/base/clock.ts";
import { nextLoopTurn } from "../../core/base/loop-share.ts";
import { TextMemo } from "../../core/base/text-memo.ts";
import type { CallTexts } from "../../core/extension/call-inspector.ts";
import type { SensitiveFinding, SensitiveLocation } from "../../core/schema/sensitive-finding.ts";
import { compileRules, type Rules } from "./rules.ts";
import { isShort, scan, scanShort } from "./scan.ts";
import { inSlices } from "./slices.ts";
import { searchWhole } from "./sweep.ts";

type Settings = ReturnType<App["config"]["current"]>["sensitive_data_detection"];

/** The compiled rules, cached per configuration. */
export function rulesOf(app: App): Rules {
  return detectionOf(app).rules;
}

function detectionOf(app: App): Detection {
  const settings = app.config.current().sensitive_data_detection;
  let detection = compiled.get(settings);
  if (!detection) {
    const found = { arguments: new TextMemo<Findings>(), response: new TextMemo<Findings>() };
    detection = { rules: compileRules(settings), found };
    compiled.set(settings, detection);
  }
  return detection;
}

type Findings = readonly SensitiveFinding[];

/** The rules of a configuration, and what they found in texts. */
interface Detection {
  readonly rules: Rules;
  readonly found: Readonly<Record<SensitiveLocation, TextMemo<Findings>>>;
}

const compiled = new WeakMap<Settings, Detection>();

/** Longer lists of findings are not remembered. */
const MAX_REMEMBERED = 8;
const isFew = (findings: Findings) => findings.length <= MAX_REMEMBERED;

/** Sample texts that together use every expression, while each uses only a few. */
const SAMPLES = [
  '"name=0"',
  '"api_key=0"',
  '"a-long-word-of-letters-and-digits-0123456789"',
  '"akia-0 Bearer 0 card 4111 1111 1111 1111"',
  '".env"',
];

/**
 * Compiles the expressions before the first call needs them, each in a separate turn of the event loop.
 */
export async function prepareInspection(app: App): Promise<void> {
  if (!app.config.current().sensitive_data_detection.enabled) return;
  for (const sample of SAMPLES) {
    await nextLoopTurn("background");
    scanShort(sample, rulesOf(app), "arguments");
  }
}

/** Maximum inspected length of a text (characters). */
export function maxChars(app: App): number {
  return app.config.current().sensitive_data_detection.max_payload_size_kb * 1024;
}

/** Inspects JSON text; a long one in pieces, yielding to the event loop between them. */
function inspect(
  app: App,
  json: string,
  location: SensitiveLocation,
): readonly SensitiveFinding[] | Promise<readonly SensitiveFinding[]> {
  const limit = maxChars(app);
  if (isShort(json, limit)) {
    const { rules, found } = detectionOf(app);
    return found[location].of(json, () => scanShort(json, rules, location), isFew);
  }
  const steps = scan(json, rulesOf(app), location, limit);
  const step = steps.next();
  return step.done ? step.value : inTurns(steps);
}

/**
 * Searches JSON text completely and in all readings (`encoded.ts`), for a policy that blocks findings.
 *
 * @returns undefined if the search exceeded its budget
 */
export function inspectWhole(
  app: App,
  json: string,
  location: SensitiveLocation,
): readonly SensitiveFinding[] | undefined | Promise<readonly SensitiveFinding[] | undefined> {
  return inSlices(searchWhole(json, rulesOf(app), location), budgetOf(app));
}

/** Time budget for the arguments of a call, and for its response (ms). */
export function budgetOf(app: App): number {
  return durationMs(app.config.current().sensitive_data_detection.time_budget) ?? 2000;
}

async function inTurns(steps: Generator<void, SensitiveFinding[]>): Promise<SensitiveFinding[]> {
  for (;;) {
    await nextLoopTurn();
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The findings of a completed call for its activity record, in the texts that the configuration selects. */
export function inspectCall(
  app: App,
  { sent, raw, findings }: CallTexts,
): readonly SensitiveFinding[] | Promise<readonly SensitiveFinding[]> {
  const { enabled, scan_requests, scan_responses } = app.config.current().sensitive_data_detection;
  if (!enabled) return NOTHING;
  // Arguments are usually short or empty, so the search is skipped for an empty object.
  const inSent = findings?.arguments ?? (scan_requests && sent.length > 2 ? inspect(app, sent, "arguments") : NOTHING);
  const inRaw = findings?.response ?? (scan_responses && raw ? inspect(app, raw, "response") : NOTHING);
  if (inSent instanceof Promise || inRaw instanceof Promise)
    return Promise.all([inSent, inRaw]).then(([first, second]) => [...first, ...second]);
  return inSent.length === 0 && inRaw.length === 0 ? NOTHING : [...inSent, ...inRaw];
}

const NOTHING: readonly SensitiveFinding[] = [];
