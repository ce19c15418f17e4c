import { LRUCache } from "lru-cache";
import type { McpObject } from "../schema/mcp.ts";

/** Maximum number of elicitations of one server whose completion is awaited. */
const MAX_AWAITED = 1000;
/** Maximum length of an id. (characters) */
const MAX_ID = 1000;

/** Callbacks for the completion of URL elicitations, by the server's elicitation id. */
export class AwaitedElicitations {
  private awaited: LRUCache<string, () => void> | undefined;

  add(elicitationId: string, act: () => void): void {
    if (elicitationId.length > MAX_ID) return;
    this.awaited ??= new LRUCache({ max: MAX_AWAITED });
    this.awaited.set(elicitationId, act);
  }

  /** Handles `notifications/elicitation/complete`; the argument is its params. */
  complete({ elicitationId }: McpObject): void {
    if (typeof elicitationId !== "string") return;
    const act = this.awaited?.get(elicitationId);
    this.awaited?.delete(elicitationId);
    act?.();
  }
}
