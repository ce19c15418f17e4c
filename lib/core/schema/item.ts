import type { McpObject } from "./mcp.ts";
import type { Approval, ApprovalStatus } from "./tool.ts";

/** The kinds of items that a server can offer. */
export const ITEM_KINDS = ["tool", "prompt", "resource", "template"] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** The kinds stored in `app.catalog.items`; tools are stored separately. */
export const LISTED_KINDS = ["prompt", "resource", "template"] as const satisfies readonly ItemKind[];
export type ListedKind = (typeof LISTED_KINDS)[number];

/** The name of each kind in messages, and the command that approves or blocks it. */
export const ITEM_WORDS: Readonly<Record<ItemKind, { noun: string; plural: string; command: string }>> = {
  tool: { noun: "tool", plural: "tools", command: "tools" },
  prompt: { noun: "prompt", plural: "prompts", command: "prompts" },
  resource: { noun: "resource", plural: "resources", command: "resources" },
  template: { noun: "resource template", plural: "resource templates", command: "resources" },
};

/**
 * What a policy decision reads of any kind of item; `ToolRow` and `ItemRow` have it. Rows are replaced, never changed in
 * place.
 */
export interface JudgedRow {
  readonly server: string;
  readonly name: string;
  /** Pin of the definition: `sha256/v{N}:{hex}`. */
  readonly hash: string;
  readonly status: ApprovalStatus;
  /** False when discovery has seen the item but no approval record could be written for it: never usable. */
  readonly recorded: boolean;
  /** Blocked by a person. */
  readonly disabled: boolean;
  /** Whether the upstream's last listing contained the item; false for one known only from earlier listings. */
  readonly present: boolean;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
  /** Of a tool. */
  readonly _meta?: McpObject;
}

/** One known prompt, resource or resource template. */
export interface ItemRow extends JudgedRow {
  readonly kind: ListedKind;
  /** Unique over kinds, tools included: `itemId(kind, server, name)`. */
  readonly id: string;
  /** A prompt's name, a resource's URI, a template's URI template, each as the server writes it. */
  readonly name: string;
  /** What clients are shown, `name`, `uri` and `uriTemplate` as the server writes them: known members, the server's secrets hidden. */
  readonly definition: McpObject;
  /** Fixed, because reading requires the permission `read`. */
  readonly annotations: { readonly readOnlyHint: true };
}

/** What is stored about the approval of one prompt, resource or resource template. */
export interface ItemApprovalRow extends Approval<McpObject> {
  server: string;
  kind: ListedKind;
  /** As `ItemRow.name`. */
  name: string;
}

/** An id over all kinds: `server:name` of a tool, and with the kind and a colon in front of it for all else. */
export function itemId(kind: ItemKind, server: string, name: string): string {
  return kind === "tool" ? `${server}:${name}` : `:${kind}:${server}:${name}`;
}

/** The counts of one listing. */
export interface ItemListingCounts {
  readonly total: number;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}
