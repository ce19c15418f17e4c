import type { McpObject } from "./mcp.ts";
import type { ApprovalStatus } from "./tool.ts";

/** What a server can offer. */
export const ITEM_KINDS = ["tool", "prompt", "resource", "template"] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** The kinds that stand in `app.catalog.items`; tools have rows of their own. */
export const LISTED_KINDS = ["prompt", "resource", "template"] as const satisfies readonly ItemKind[];
export type ListedKind = (typeof LISTED_KINDS)[number];

/** How each kind is called in sentences, and the command that decides about it. */
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
  /** In the upstream's last listing; false for an item that is only remembered. */
  readonly present: boolean;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
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
  /** Reading takes the permission `read`. */
  readonly annotations: { readonly readOnlyHint: true };
}

/** An id over all kinds: `server:name` of a tool, and with the kind and a colon in front of it for all else. */
export function itemId(kind: ItemKind, server: string, name: string): string {
  return kind === "tool" ? `${server}:${name}` : `:${kind}:${server}:${name}`;
}

/** What one listing came to. */
export interface ItemListingCounts {
  readonly total: number;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}
