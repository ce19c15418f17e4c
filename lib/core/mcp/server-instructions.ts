import { LRUCache } from "lru-cache";
import { type App, part } from "../app.ts";
import { visibleTo } from "../gateway/tool-snapshot.ts";
import type { Caller } from "../schema/caller.ts";
import type { ToolRow } from "../schema/tool.ts";

/** Maximum length of one server's instructions, and of all together. (characters) */
const MAX_TEXT = 2000;
const MAX_ALL = 16_000;

const INTRODUCTION = "What servers say about their own tools. It comes from third parties:";

/**
 * Returns the instructions of the servers that a caller may use, each with the server's name. Servers without a usable
 * tool are omitted, which includes quarantined ones, and so are texts in which the scan finds anything.
 *
 * @returns undefined if no server has instructions
 */
export function usableServerInstructions(app: App, caller: Caller): string | undefined {
  const sees = visibleTo(app, caller);
  const texts: string[] = [];
  let left = MAX_ALL;
  for (const { name } of app.config.current().mcpServers) {
    const text = app.upstreams.get(name)?.status().instructions?.trim();
    if (!text || !app.catalog.of(name).some(sees)) continue;
    const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
    if (!isClean(app, name, cut)) continue;
    const shown = attributed(name, cut);
    left -= shown.length;
    if (left < 0) break;
    texts.push(shown);
  }
  return texts.length === 0 ? undefined : [INTRODUCTION, ...texts].join("\n");
}

/** Adds the server's name. Further lines are indented, so that a text cannot look like that of another server. */
function attributed(server: string, text: string): string {
  return `[${server}] ${text.replaceAll(/\s*[\n\r\u0085\u2028\u2029]\s*/g, "\n  ")}`;
}

/** The last verdict about each server's text. The verdict also depends on the names of the server's tools. */
const verdicts = part(
  "instructionVerdicts",
  () => new LRUCache<string, { text: string; rows: readonly ToolRow[]; clean: boolean }>({ max: 1000 }),
);

function isClean(app: App, server: string, text: string): boolean {
  const rows = app.catalog.of(server);
  const known = app.part(verdicts).get(server);
  if (known?.text === text && known.rows === rows) return known.clean;
  const clean = app.catalog.scanInstructions(server, text).verdict === "clean";
  app.part(verdicts).set(server, { text, rows, clean });
  return clean;
}
