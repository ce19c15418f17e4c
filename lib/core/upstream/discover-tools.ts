import { Fault } from "../base/fault.ts";
import { isJsonObject } from "../base/json-object.ts";
import type { McpObject, Reply } from "../schema/mcp.ts";
import { UpstreamError } from "./errors.ts";

/** Maximum time for one listing. After it, the upstream keeps the items that it had. (ms; spec 001 §6) */
export const DISCOVERY_TIMEOUT_MS = 30_000;
const MAX_PAGES = 1000;
const MAX_ENTRIES = 20_000;
/** Maximum length of all pages together. (characters) */
const MAX_TEXT = 64 * 1024 * 1024;

/** The member of each list result that contains the entries. */
export const LIST_MEMBERS = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
} as const;
export type ListMethod = keyof typeof LIST_MEMBERS;

interface DiscoverOptions {
  request(method: string, params: McpObject, timeoutMs: number): Promise<Reply>;
  now(): number;
}

/**
 * Requests one list of an upstream, page by page. The entries are not checked here; the catalog does that
 * (`catalog/read-tool.ts`, `catalog/read-item.ts`).
 *
 * @throws UpstreamError if the list is too long, repeats a page or is invalid
 * @throws Fault call_timeout if all pages together take longer than 30 s
 * @throws whatever `request` throws
 */
export async function discoverEntries(method: ListMethod, { request, now }: DiscoverOptions): Promise<unknown[]> {
  const member = LIST_MEMBERS[method];
  const deadline = now() + DISCOVERY_TIMEOUT_MS;
  const entries: unknown[] = [];
  const cursors = new Set<string>();
  let size = 0;
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const left = deadline - now();
    if (left <= 0) throw new Fault("call_timeout", { id: method, ms: DISCOVERY_TIMEOUT_MS });
    const { result, raw } = await request(method, cursor === undefined ? {} : { cursor }, left);
    const list = isJsonObject(result) ? result[member] : undefined;
    if (!isJsonObject(result) || !Array.isArray(list))
      throw new UpstreamError(`its response to ${method} contains no list of ${member}`);
    size += raw.length;
    if (size > MAX_TEXT)
      throw new UpstreamError(
        `its ${method === "tools/list" ? "tool list" : method} is larger than ${MAX_TEXT} characters`,
      );
    if (entries.length + list.length > MAX_ENTRIES)
      throw new UpstreamError(`it lists more than ${MAX_ENTRIES} ${member}`);
    for (const entry of list) entries.push(entry);
    if (typeof result.nextCursor !== "string") return entries;
    cursor = result.nextCursor;
    if (cursors.has(cursor))
      throw new UpstreamError(`its ${method} returns the cursor ${JSON.stringify(cursor)} twice`);
    if (page >= MAX_PAGES) throw new UpstreamError(`its ${method} has more than ${MAX_PAGES} pages`);
    cursors.add(cursor);
  }
}

/** Lists all tools of an upstream. @throws the same as `discoverEntries` */
export function discoverTools(options: DiscoverOptions): Promise<unknown[]> {
  return discoverEntries("tools/list", options);
}
