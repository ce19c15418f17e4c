import { isJsonObject } from "../base/json-object.ts";
import type { CallToolResult, Reply } from "../schema/mcp.ts";

/**
 * Converts a result for clients of versions up to 2025-11-25. There, `structuredContent` must be an object, and their
 * SDKs reject a result with another value; since 2026-07-28 it may be any JSON value. The value stays in the text.
 *
 * @returns the given reply if its `structuredContent` is absent or an object, otherwise a changed copy
 */
export function withObjectContent(reply: Reply<CallToolResult>): Reply<CallToolResult> {
  // This runs for every call, so nothing is copied unless it must be changed.
  const value = reply.result?.structuredContent;
  if (value === undefined || isJsonObject(value)) return reply;
  const { structuredContent: _, ...rest } = reply.result;
  const { content } = rest;
  const hasContent = Array.isArray(content) && content.length > 0;
  const result = { ...rest, content: hasContent ? content : [{ type: "text", text: JSON.stringify(value) }] };
  return { result, raw: JSON.stringify(result) } as Reply<CallToolResult>;
}
