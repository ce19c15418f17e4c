import type { ServerFinding } from "../../core/catalog/server-scans.ts";
import { ITEM_WORDS } from "../../core/schema/item.ts";
import type { ScanFinding } from "../../core/schema/scan.ts";
import { reportedFinding } from "./scanner.ts";

/** The scanner that reports the findings of discovery. */
export const TOOL_DESCRIPTIONS = "tool-descriptions";

/** Longest part of an item's name in a location (characters); `item` of the finding contains the complete name. */
const MAX_SHOWN_NAME = 200;

/** Converts a finding of discovery to the form of a report. */
export function asReported(found: ServerFinding): ScanFinding {
  const { tool, item, ...finding } = found;
  const isInjection = item !== undefined || /^(instruction|role)/.test(finding.rule);
  return reportedFinding(
    { ...finding, location: locationOf(found) },
    {
      scanner: TOOL_DESCRIPTIONS,
      threat_type: isInjection ? "prompt_injection" : "tool_poisoning",
      ...(tool !== undefined && { tool }),
      ...(item && { kind: item.kind, item: item.name }),
    },
  );
}

function locationOf({ tool, item, location }: ServerFinding): string {
  if (tool !== undefined) return `${tool}: ${location}`;
  return item ? `${ITEM_WORDS[item.kind].noun} ${item.name.slice(0, MAX_SHOWN_NAME)}: ${location}` : location;
}
