import type { McpObject } from "./mcp.ts";
import type { Approval, ApprovalStatus } from "./tool.ts";

/** The kinds of items that a server can offer. */
export const ITEM_KINDS = ["tool", "prompt", "resource", "template"] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** The kinds stored in `app.catalog.items`; tools are stored separately. */
export const LISTED_KINDS = ["prompt", "resource", "template"] as const satisfies readonly ItemKind[];
export type ListedKind = (typeof LISTED_KINDS)[number];

/** The words for each kind in messages, and the command that approves or blocks items of the kind. */
export const ITEM_WORDS: Readonly<Record<ItemKind, { noun: string; plural: string; command: string }>> = {
  tool: { noun: "tool", plural: "tools", command: "tools" },
  prompt: { noun: "prompt", plural: "prompts", command: "prompts" },
  resource: { noun: "resource", plural: "resources", command: "resources" },
  template: { noun: "resource template", plural: "resource templates", command: "resources" },
};

/**
 * The facts about an item, of any kind, on which policy decisions depend. `ToolRow` and `ItemRow` extend it. Rows are
 * replaced, never changed in place.
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
  /** Set for tools only. */
  readonly _meta?: McpObject;
}

/** One known prompt, resource or resource template. */
export interface ItemRow extends JudgedRow {
  readonly kind: ListedKind;
  /** Unique over kinds, tools included: `itemId(kind, server, name)`. */
  readonly id: string;
  /** The name of a prompt, the URI of a resource, or the URI template of a template, as the server lists it. */
  readonly name: string;
  /**
   * The definition that clients are shown: the known members, with the server's secrets hidden. `name`, `uri` and
   * `uriTemplate` stay as the server lists them.
   */
  readonly definition: McpObject;
  /** Constant, because reading requires the permission `read`. */
  readonly annotations: { readonly readOnlyHint: true };
}

/** The stored approval of one prompt, resource or resource template. */
export interface ItemApprovalRow extends Approval<McpObject> {
  server: string;
  kind: ListedKind;
  /** Same as `ItemRow.name`. */
  name: string;
}

/** Returns an id that is unique over all kinds: `server:name` for a tool, `:kind:server:name` for all others. */
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
