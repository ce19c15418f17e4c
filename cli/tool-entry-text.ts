import type { ToolEntry } from "#lib/core/schema/tool-entry.ts";

/** A tool's approval in one word, with the verdict of the scan if it is not clean. */
export function approvalOf(tool: ToolEntry): string {
  const scanned = tool.scan && tool.scan.verdict !== "clean" ? ` (${tool.scan.verdict})` : "";
  return approvalWord(tool) + scanned;
}

function approvalWord(tool: ToolEntry): string {
  if (tool.disabled) return "blocked";
  if (tool.config_denied) return "excluded";
  return tool.approval_status === "pending_approval" ? "pending" : tool.approval_status;
}

/** The tool's effect according to its annotations; empty if they do not say. */
export function toolEffect({ annotations }: Pick<ToolEntry, "annotations">): string {
  if (annotations?.readOnlyHint === true) return "read";
  if (annotations?.destructiveHint === true) return "destroy";
  return annotations?.destructiveHint === false ? "write" : "";
}
