import * as v from "valibot";
import { ItemRelease, ReviewedItem } from "./item-entry.ts";

const about = v.description;

/** The pins of the tool definitions that a person reviewed, and the findings that the person accepts. */
export const seenEntries = {
  pins: v.optional(
    v.pipe(
      v.record(v.string(), v.string()),
      about("pin that was reviewed, by tool name; only tools that still have that pin are approved"),
    ),
  ),
  accept_findings: v.optional(
    v.pipe(v.array(v.string()), about("names of tools whose findings of high or critical severity are accepted")),
  ),
  accept_instructions: v.optional(
    v.pipe(
      v.boolean(),
      about(
        "accept findings of high or critical severity in the server's instructions; until then, all its tools stay pending",
      ),
    ),
  ),
};

/** What a person reviewed of a server before its release. */
export const releaseEntries = {
  ...seenEntries,
  items: v.optional(
    v.pipe(
      v.array(ReviewedItem),
      about(
        "prompts, resources and resource templates that were reviewed. With `pins` or `items`, the release approves only what they name; without both, it approves whatever is pending",
      ),
    ),
  ),
};

const ReleaseBody = v.object(releaseEntries);

/** Returns the reviewed definitions that a request names. */
export function seenOf({
  pins,
  items,
  accept_findings: acceptFindings,
  accept_instructions: acceptInstructions,
}: v.InferOutput<typeof ReleaseBody>) {
  return {
    pins,
    acceptFindings,
    acceptInstructions,
    items: items?.map(({ accept_findings: acceptsFindings, ...item }) => ({ ...item, acceptsFindings })),
  };
}

/** A tool that an approval did not approve, and the reason. */
export const StillWaiting = v.object({
  tool: v.string(),
  reason: v.pipe(
    v.picklist(["findings", "instructions", "changed_since", "not_listed"]),
    about(
      "findings: unaccepted findings of high or critical severity; instructions: unaccepted findings of that severity in the server's instructions; changed_since: listed or changed after the reviewed definition; not_listed: the server does not list it",
    ),
  ),
  findings: v.optional(
    v.array(
      v.object({
        rule: v.string(),
        severity: v.picklist(["critical", "high"]),
        location: v.string(),
      }),
    ),
  ),
});
export type StillWaiting = v.InferOutput<typeof StillWaiting>;

/** The effect of a release from quarantine, or of another approval, on the tools of a server. */
export const Release = v.object({
  approved: v.array(v.string()),
  pending: v.array(StillWaiting),
  items: v.optional(
    v.pipe(ItemRelease, about("prompts, resources and resource templates; absent if none was approved and none waits")),
  ),
});
export type Release = v.InferOutput<typeof Release>;
