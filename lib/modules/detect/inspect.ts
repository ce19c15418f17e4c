import type { App } from "../../core/app.ts";
import { durationMs } from "../../core/base/clock.ts";
import { nextLoopTurn } from "../../core/base/loop-share.ts";
import type { CallTexts } from "../../core/extension/call-inspector.ts";
import type { SensitiveFinding, SensitiveLocation } from "../../core/schema/sensitive-finding.ts";
import { compileRules, type Rules } from "./rules.ts";
import { isShort, scan, scanShort } from "./scan.ts";
import { inSlices } from "./slices.ts";
import { searchWhole } from "./sweep.ts";

type Settings = ReturnType<App["config"]["current"]>["sensitive_data_detection"];

/** What to look for; made once for each configuration. */
export function rulesOf(app: App): Rules {
  const settings = app.config.current().sensitive_data_detection;
  let rules = compiled.get(settings);
  if (!rules) {
    rules = compileRules(settings);
    compiled.set(settings, rules);
  }
  return rules;
}

const compiled = new WeakMap<Settings, Rules>();

/** Texts that together need every table and expression there is; each of them needs few. */
const SAMPLES = [
  '"name=0"',
  '"api_key=0"',
  '"a-long-word-of-letters-and-digits-0123456789"',
  '"akia-0 Bearer 0 card 4111 1111 1111 1111"',
  '".env"',
];

/**
 * Makes what looking through texts takes, before the first call has to wait for it: 15 to 30 ms once, each table and
 * expression in a turn of its own.
 */
export async function prepareInspection(app: App): Promise<void> {
  if (!app.config.current().sensitive_data_detection.enabled) return;
  for (const sample of SAMPLES) {
    await nextLoopTurn("background");
    scanShort(sample, rulesOf(app), "arguments");
  }
}

/** How much of a text is looked at. (characters) */
function mostOf(app: App): number {
  return app.config.current().sensitive_data_detection.max_payload_size_kb * 1024;
}

/** Looks through JSON text; a long one a piece at a time, letting others have a turn between. */
function inspect(
  app: App,
  json: string,
  location: SensitiveLocation,
): readonly SensitiveFinding[] | Promise<readonly SensitiveFinding[]> {
  const most = mostOf(app);
  if (isShort(json, most)) return scanShort(json, rulesOf(app), location);
  const steps = scan(json, rulesOf(app), location, most);
  const step = steps.next();
  return step.done ? step.value : inTurns(steps);
}

/**
 * Searches JSON text to its end and in all readings, for a policy that refuses what is found.
 *
 * @returns undefined when it could not be searched within the budget
 */
export function inspectWhole(
  app: App,
  json: string,
  location: SensitiveLocation,
): readonly SensitiveFinding[] | undefined | Promise<readonly SensitiveFinding[] | undefined> {
  return inSlices(searchWhole(json, rulesOf(app), location), budgetOf(app));
}

/** Longest work on the arguments of a call, and on its answer. (ms) */
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

/** What a finished call held, for its record; each text as far as the configuration asks for it. */
export function inspectCall(
  app: App,
  { sent, raw, findings }: CallTexts,
): readonly SensitiveFinding[] | Promise<readonly SensitiveFinding[]> {
  const { enabled, scan_requests, scan_responses } = app.config.current().sensitive_data_detection;
  if (!enabled) return NOTHING;
  // Most calls carry little in their arguments, many carry nothing.
  const inSent = findings?.arguments ?? (scan_requests && sent.length > 2 ? inspect(app, sent, "arguments") : NOTHING);
  const inRaw = findings?.response ?? (scan_responses && raw ? inspect(app, raw, "response") : NOTHING);
  if (inSent instanceof Promise || inRaw instanceof Promise)
    return Promise.all([inSent, inRaw]).then(([first, second]) => [...first, ...second]);
  return inSent.length === 0 && inRaw.length === 0 ? NOTHING : [...inSent, ...inRaw];
}

const NOTHING: readonly SensitiveFinding[] = [];
