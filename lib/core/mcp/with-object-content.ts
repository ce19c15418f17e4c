import { isJsonObject } from "../base/json-object.ts";
import type { CallToolResult, Reply } from "../schema/mcp.ts";

/**
 * A result as clients of the 2025 family can read it: there, `structuredContent` is an object, and their SDKs reject a
 * result with another value. Since 2026-07-28 it may be any JSON value. The value stays in the text.
 *
 * @returns the reply itself if its `structuredContent` is absent or an object, otherwise a changed copy
 */
export function withObjectContent(reply: Reply<CallToolResult>): Reply<CallToolResult> {
  // Every call comes here, so nothing is copied before it is known to be needed.
  const value = reply.result?.structuredContent;
  if (value === undefined || isJsonObject(value)) return reply;
  const { structuredContent: _, ...rest } = reply.result;
  const { content } = rest;
  const hasContent = Array.isArray(content) && content.length > 0;
  const result = { ...rest, content: hasContent ? content : [{ type: "text", text: JSON.stringify(value) }] };
  return { result, raw: JSON.stringify(result) } as Reply<CallToolResult>;
}
