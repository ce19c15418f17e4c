import { Fault } from "../base/fault.ts";
import type { JsonObject, RawTool, Reply } from "../schema/mcp.ts";
import { UpstreamError } from "./failures.ts";
import { isObject } from "./protocol/message.ts";

/** Longest wait for one discovery. An upstream that needs more keeps the tools it had. (ms; spec 001 §6) */
export const DISCOVERY_TIMEOUT_MS = 30_000;
const MAX_PAGES = 1000;
const MAX_TOOLS = 20_000;
/** All pages together. (characters) */
const MAX_TEXT = 64 * 1024 * 1024;

export interface DiscoverOptions {
  request(method: string, params: JsonObject, timeoutMs: number): Promise<Reply>;
  now(): number;
  /** An entry that is no tool was left out. */
  skipped(why: string): void;
}

/**
 * Lists all tools of an upstream, page by page. What is no tool is left out and the rest is kept; of two with one name
 * the first counts.
 *
 * @throws UpstreamError more than is allowed, pages that go round in circles, or a list that is none
 * @throws whatever `request` throws; Fault call_timeout when all pages together take longer than 30 s
 */
export async function discover({ request, now, skipped }: DiscoverOptions): Promise<RawTool[]> {
  const deadline = now() + DISCOVERY_TIMEOUT_MS;
  const tools = new Map<string, RawTool>();
  const cursors = new Set<string>();
  let size = 0;
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const left = deadline - now();
    if (left <= 0) throw new Fault("call_timeout", { id: "tools/list", ms: DISCOVERY_TIMEOUT_MS });
    const { result, raw } = await request("tools/list", cursor === undefined ? {} : { cursor }, left);
    if (!isObject(result) || !Array.isArray(result.tools))
      throw new UpstreamError("its tools/list holds no list of tools");
    size += raw.length;
    if (size > MAX_TEXT) throw new UpstreamError(`its tool list is larger than ${MAX_TEXT} characters`);
    for (const tool of result.tools) keep(tool, tools, skipped);
    if (tools.size > MAX_TOOLS) throw new UpstreamError(`it lists more than ${MAX_TOOLS} tools`);
    if (typeof result.nextCursor !== "string") return [...tools.values()];
    cursor = result.nextCursor;
    if (cursors.has(cursor)) throw new UpstreamError(`its tools/list gives the cursor ${JSON.stringify(cursor)} twice`);
    if (page >= MAX_PAGES) throw new UpstreamError(`its tools/list has more than ${MAX_PAGES} pages`);
    cursors.add(cursor);
  }
}

function keep(tool: unknown, tools: Map<string, RawTool>, skipped: (why: string) => void): void {
  const fault = faultOf(tool);
  if (fault !== undefined) skipped(fault);
  else if (tools.has((tool as RawTool).name)) skipped(`${JSON.stringify((tool as RawTool).name)} is listed twice`);
  else tools.set((tool as RawTool).name, tool as RawTool);
}

/** Why an entry is no tool; undefined when it is one. Optional members of a wrong type are as bad as a missing name. */
function faultOf(tool: unknown): string | undefined {
  if (!isObject(tool)) return `an entry is ${tool === null ? "null" : Array.isArray(tool) ? "a list" : typeof tool}`;
  const { name } = tool;
  if (typeof name !== "string" || name === "") return "an entry has no name";
  if (name.length > MAX_NAME) return `an entry has a name of ${name.length} characters`;
  for (const [member, wanted] of MEMBERS) {
    const value = tool[member];
    const good = wanted === "object" ? isObject(value) : typeof value === wanted;
    if (value !== undefined && !good) return `${JSON.stringify(name)}: ${member} is not of type ${wanted}`;
  }
  return undefined;
}

const MAX_NAME = 1024;
const MEMBERS = [
  ["inputSchema", "object"],
  ["outputSchema", "object"],
  ["annotations", "object"],
  ["description", "string"],
  ["title", "string"],
] as const;
