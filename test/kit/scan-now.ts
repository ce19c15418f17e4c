import type { SensitiveFinding, SensitiveLocation } from "#lib/core/schema/sensitive-finding.ts";
import type { Rules } from "#lib/modules/detect/rules.ts";
import { isShort, scan, scanShort } from "#lib/modules/detect/scan.ts";

/** Scans a text for sensitive data without pauses. */
export function scanNow(
  json: string,
  rules: Rules,
  location: SensitiveLocation,
  maxChars: number,
): readonly SensitiveFinding[] {
  if (isShort(json, maxChars)) return scanShort(json, rules, location);
  const steps = scan(json, rules, location, maxChars);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
