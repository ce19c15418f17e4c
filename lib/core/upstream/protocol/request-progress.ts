import type { McpObject, Progress } from "../../schema/mcp.ts";

/** Maximum length of the text in a progress notification. (characters) */
const MAX_PROGRESS_TEXT = 4096;

/** Reads the members of a progress notification that the protocol defines; others are not passed on. */
export function requestProgress({ progress, total, message }: McpObject): Progress | undefined {
  if (typeof progress !== "number") return undefined;
  const known: Progress = { progress };
  if (typeof total === "number") known.total = total;
  if (typeof message === "string") known.message = message.slice(0, MAX_PROGRESS_TEXT);
  return known;
}

/**
 * Returns the params with the proxy's own progress token, the id of the request, because the tokens of different
 * callers may be equal.
 */
export function withProgressToken(params: McpObject, id: number): McpObject {
  const meta = params._meta;
  return { ...params, _meta: { ...(typeof meta === "object" ? meta : undefined), progressToken: id } };
}
