import { Fault } from "../base/fault.ts";
import type { McpObject, Reply } from "../schema/mcp.ts";
import { UpstreamError } from "./errors.ts";
import { isMessageObject } from "./protocol/upstream-message.ts";

/** Longest wait for one discovery. An upstream that needs more keeps the tools it had. (ms; spec 001 §6) */
export const DISCOVERY_TIMEOUT_MS = 30_000;
const MAX_PAGES = 1000;
const MAX_TOOLS = 20_000;
/** All pages together. (characters) */
const MAX_TEXT = 64 * 1024 * 1024;

interface DiscoverOptions {
  request(method: string, params: McpObject, timeoutMs: number): Promise<Reply>;
  now(): number;
}

/**
 * Lists all tools of an upstream, page by page, as it sends them. Which entries are valid tools is decided by the catalog
 * (`catalog/read.ts`).
 *
 * @throws UpstreamError more than is allowed, pages that go round in circles, or a list that is none
 * @throws whatever `request` throws; Fault call_timeout when all pages together take longer than 30 s
 */
export async function discoverTools({ request, now }: DiscoverOptions): Promise<unknown[]> {
  const deadline = now() + DISCOVERY_TIMEOUT_MS;
  const entries: unknown[] = [];
  const cursors = new Set<string>();
  let size = 0;
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const left = deadline - now();
    if (left <= 0) throw new Fault("call_timeout", { id: "tools/list", ms: DISCOVERY_TIMEOUT_MS });
    const { result, raw } = await request("tools/list", cursor === undefined ? {} : { cursor }, left);
    if (!isMessageObject(result) || !Array.isArray(result.tools))
      throw new UpstreamError("its response to tools/list contains no list of tools");
    size += raw.length;
    if (size > MAX_TEXT) throw new UpstreamError(`its tool list is larger than ${MAX_TEXT} characters`);
    if (entries.length + result.tools.length > MAX_TOOLS)
      throw new UpstreamError(`it lists more than ${MAX_TOOLS} tools`);
    entries.push(...result.tools);
    if (typeof result.nextCursor !== "string") return entries;
    cursor = result.nextCursor;
    if (cursors.has(cursor))
      throw new UpstreamError(`its tools/list returns the cursor ${JSON.stringify(cursor)} twice`);
    if (page >= MAX_PAGES) throw new UpstreamError(`its tools/list has more than ${MAX_PAGES} pages`);
    cursors.add(cursor);
  }
}
