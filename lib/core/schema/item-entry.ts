import * as v from "valibot";
import { LISTED_KINDS } from "./item.ts";
import { ApprovalWordShape, ToolScan } from "./tool-entry.ts";

const about = v.description;

const ItemKindShape = v.picklist(LISTED_KINDS);

/** One prompt, resource or resource template in a list. */
export const ItemEntry = v.object({
  kind: ItemKindShape,
  name: v.pipe(v.string(), about("name of the prompt, URI of the resource, or URI template, as its server writes it")),
  server_name: v.string(),
  title: v.optional(v.string()),
  description: v.string(),
  approval_status: ApprovalWordShape,
  disabled: v.pipe(v.boolean(), about("blocked by a person")),
  mime_type: v.optional(v.string()),
  arguments: v.optional(
    v.pipe(
      v.array(v.object({ name: v.string(), description: v.optional(v.string()), required: v.optional(v.boolean()) })),
      about("arguments of a prompt"),
    ),
  ),
  current_hash: v.optional(
    v.pipe(v.string(), about("pin of the current definition, to send with an approval; for operators only")),
  ),
  scan: v.optional(v.pipe(ToolScan, about("findings of the offline scan; for operators only"))),
});
export type ItemEntry = v.InferOutput<typeof ItemEntry>;

/** A prompt, resource or resource template that a person reviewed before a release. */
export const ReviewedItem = v.object({
  kind: ItemKindShape,
  name: v.string(),
  pin: v.pipe(v.string(), about("pin that was reviewed")),
  accept_findings: v.optional(v.pipe(v.boolean(), about("accept its findings of high or critical severity"))),
});

/** The result of approving prompts, resources and resource templates. */
export const ItemRelease = v.object({
  approved: v.array(v.object({ kind: ItemKindShape, name: v.string() })),
  pending: v.array(
    v.object({
      kind: ItemKindShape,
      name: v.string(),
      reason: v.pipe(
        v.picklist(["findings", "changed_since", "not_listed", "not_reviewed"]),
        about(
          "findings: of severity high or critical, and not accepted; changed_since: changed after what the request names; not_listed: the server does not list it; not_reviewed: a release does not name it, or the server listed it later",
        ),
      ),
      rules: v.optional(v.pipe(v.array(v.string()), about("rules of the findings"))),
    }),
  ),
});
export type ItemRelease = v.InferOutput<typeof ItemRelease>;
