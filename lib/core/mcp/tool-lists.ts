import { createHash } from "node:crypto";
import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { loopShare } from "../base/loop-share.ts";
import { type Caller, ownerKey } from "../schema/caller.ts";
import { LISTED_KINDS, type ListedKind } from "../schema/item.ts";
import { type McpObject, RpcError } from "../schema/mcp.ts";
import type { ToolRow } from "../schema/tool.ts";
import { createDirectMode, type DirectTools } from "./direct-mode.ts";
import { exposedTools } from "./exposed-tools.ts";
import type { ListAudience } from "./list-audience.ts";
import { listCursor, readListCursor } from "./list-cursors.ts";
import { listMeta } from "./list-meta.ts";
import type { McpMode } from "./mount.ts";
import { invalidParams } from "./rpc.ts";
import { sealedStates } from "./sealed-states.ts";
import { shownItems } from "./shown-items.ts";
import type { Tool } from "./tool.ts";

/** One page of a `tools/list` result. */
export interface ToolPage {
  /** JSON text of the result, in pieces; the first piece contains the beginning of the object. */
  readonly pieces: readonly string[];
  /**
   * Tag of the whole list. It changes if and only if the texts change, so that a reconnect is not taken for a change.
   */
  readonly tag: string;
  /** `_meta` of the result; on the first page only. */
  readonly meta?: McpObject;
}

/** A client that is notified when the list changes. */
export interface ListReader extends ListAudience {
  /** Tag of the list that the reader knows; undefined before it knows any. */
  knownTag?: string;
  /** Tags of the lists of prompts, resources and resource templates that the reader knows. */
  knownItems?: KnownItems;
  /** The notifications that the reader wants; absent: all. */
  readonly wants?: ReadonlySet<string>;
}

export type KnownItems = Partial<Record<ListedKind, string>>;

/** The tool lists of every mode, as each caller may see them. */
export interface ToolLists {
  tagOf(audience: ListAudience): string | Promise<string>;
  /** Records the current list as known to a reader, unless it knows one already. */
  mark(reader: ListReader): void;
  /**
   * Returns one page of a list.
   *
   * @param cursor `nextCursor` of the previous page; undefined for the first page
   * @throws RpcError -32602 for an invalid cursor; Fault cancelled
   */
  page(audience: ListAudience, cursor: unknown, signal?: AbortSignal): Promise<ToolPage>;
}

/**
 * Maximum length of the tools on one page. About ten thousand tools fit on it, because some clients request only the
 * first page; clients would reject a longer message.
 */
const MAX_PAGE_CHARS = 8 * 1024 * 1024;
/** Number of characters in one piece of text. */
const PIECE = 64 * 1024;

export function createToolLists(app: App, tools: readonly Tool[], maxPageChars = MAX_PAGE_CHARS): ToolLists {
  const direct = createDirectMode(app);
  const fixed = new Map<string, { texts: readonly string[]; tag: string }>();

  /** Returns the built-in tools that a caller is offered. */
  const ownTools = (mode: McpMode, caller: Caller) => {
    const offered = tools.filter(
      ({ spec }) =>
        spec.modes.includes(mode) && (spec.offered?.({ app, caller, mode }) ?? true) && (spec.listed?.(app) ?? true),
    );
    const key = offered.map(({ name }) => name).join(" ");
    let own = fixed.get(key);
    if (!own) {
      const texts = offered.map(listed);
      own = { texts, tag: createHash("sha256").update(texts.join("\n")).digest("base64url") };
      fixed.set(key, own);
    }
    return own;
  };

  const lists: ToolLists = {
    tagOf(audience) {
      const { mode, caller } = audience;
      const { tag } = ownTools(mode, caller);
      if (exposedTools(app, mode).isEmpty) return tag;
      const shown = direct.toolsFor(audience);
      return shown instanceof Promise ? shown.then((made) => `${tag} ${made.tag}`) : `${tag} ${shown.tag}`;
    },

    mark(reader) {
      markItems(reader);
      if (reader.knownTag !== undefined) return;
      const tag = lists.tagOf(reader);
      if (typeof tag === "string") reader.knownTag = tag;
      else
        app.log.catch(
          "listing tools",
          tag.then((made) => {
            reader.knownTag ??= made;
          }),
        );
    },

    async page(audience, cursor, signal) {
      const { mode, caller } = audience;
      const own = ownTools(mode, caller);
      if (exposedTools(app, mode).isEmpty) {
        if (cursor !== undefined) throw new RpcError(invalidParams("unknown cursor: the list has only one page"));
        return { pieces: [`{"tools":[${own.texts.join(",")}]}`], tag: own.tag, ...(await listMeta(app, caller)) };
      }
      const shown = await direct.toolsFor(audience);
      const binding = { list: "tool", owner: ownerKey(caller) };
      const from =
        cursor === undefined ? 0 : placeAfter(await readListCursor(app.part(sealedStates), binding, cursor), shown);
      const texts = cursor === undefined ? own.texts : [];
      const cursorAt = (place: string) => listCursor(app.part(sealedStates), binding, place);
      const pieces = await pageFrom(from, texts, {
        text: (row) => direct.text(row, audience),
        shown,
        signal,
        cursorAt,
      });
      const meta = cursor === undefined && (await listMeta(app, caller));
      return { pieces, tag: `${own.tag} ${shown.tag}`, ...meta };
    },
  };

  function markItems(reader: ListReader): void {
    for (const kind of LISTED_KINDS) {
      if (reader.knownItems?.[kind] !== undefined) continue;
      const marked = shownItems(app, reader.caller, kind).then(({ tag }) => {
        reader.knownItems = { [kind]: tag, ...reader.knownItems };
      });
      app.log.catch("listing prompts and resources", marked);
    }
  }

  interface Direct {
    readonly shown: DirectTools;
    readonly signal: AbortSignal | undefined;
    text(row: ToolRow): string;
    cursorAt(place: string): Promise<string>;
  }

  async function pageFrom(
    from: number,
    before: readonly string[],
    { shown, text, signal, cursorAt }: Direct,
  ): Promise<string[]> {
    const { rows } = shown;
    const pieces: string[] = [];
    const pause = loopShare();
    let piece = `{"tools":[${before.join(",")}`;
    let separator = before.length === 0 ? "" : ",";
    let chars = 0;
    let at = from;
    for (; at < rows.length; at++) {
      const tool = text(rows[at]!);
      chars += tool.length;
      // A page contains at least one tool, however long.
      if (chars > maxPageChars && at > from) break;
      piece += separator + tool;
      separator = ",";
      if (piece.length >= PIECE) {
        pieces.push(piece);
        piece = "";
      }
      const others = pause();
      if (!others) continue;
      await others;
      if (signal?.aborted) throw new Fault("cancelled");
    }
    const next = at < rows.length ? `,"nextCursor":"${await cursorAt(placeIn(rows, at - 1))}"` : "";
    return [...pieces, `${piece}]${next}}`];
  }

  return lists;
}

/**
 * Returns a position in a list: the last tool of the page and, in case that tool is removed, the number of tools up to
 * it.
 */
function placeIn(rows: readonly ToolRow[], last: number): string {
  return JSON.stringify([last + 1, rows[last]!.id]);
}

/** Returns where the page after a position begins. */
function placeAfter(place: string, { rows }: DirectTools): number {
  const [count, id] = JSON.parse(place) as [number, string];
  if (rows[count - 1]?.id === id) return count;
  const at = rows.findIndex((row) => row.id === id);
  return at < 0 ? Math.min(count, rows.length) : at + 1;
}

function listed({ name, spec, inputSchema }: Tool): string {
  const { title, description, annotations, searchHint, alwaysLoad } = spec;
  // These members are for clients that load definitions only when a model searches for them; other clients ignore them.
  const _meta = { ...(alwaysLoad && { "anthropic/alwaysLoad": true }), "anthropic/searchHint": searchHint };
  return JSON.stringify({ name, title, description, inputSchema, annotations: { title, ...annotations }, _meta });
}
