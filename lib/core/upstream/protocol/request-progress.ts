import type { McpObject, Progress } from "../../schema/mcp.ts";

/** Longest text of a progress notification that is passed on. (characters) */
const MAX_PROGRESS_TEXT = 4096;

/** What the protocol defines of a progress notification; the rest is not passed on. */
export function requestProgress({ progress, total, message }: McpObject): Progress | undefined {
  if (typeof progress !== "number") return undefined;
  const known: Progress = { progress };
  if (typeof total === "number") known.total = total;
  if (typeof message === "string") known.message = message.slice(0, MAX_PROGRESS_TEXT);
  return known;
}

/** The params with our own token, which is the request's id: the tokens of callers are not unique over callers. */
export function withProgressToken(params: McpObject, id: number): McpObject {
  const meta = params._meta;
  return { ...params, _meta: { ...(typeof meta === "object" ? meta : undefined), progressToken: id } };
}
