import * as v from "valibot";

const about = v.description;

/** The tool definitions that a person saw before a decision, and the findings that the person accepts. */
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

/** A tool that an approval left unapproved. */
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

/** What a release from quarantine, or another approval, did to the tools of a server. */
export const Release = v.object({ approved: v.array(v.string()), pending: v.array(StillWaiting) });
export type Release = v.InferOutput<typeof Release>;
