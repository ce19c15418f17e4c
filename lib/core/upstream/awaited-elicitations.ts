import { LRUCache } from "lru-cache";
import type { McpObject } from "../schema/mcp.ts";

/** Addresses of one server that persons were asked to open and that it may report as done. */
const MAX_AWAITED = 1000;
/** Longest id that is compared. (characters) */
const MAX_ID = 1000;

/** Who wants to learn that a person is done at an address, by the server's id of the question. */
export class AwaitedElicitations {
  private awaited: LRUCache<string, () => void> | undefined;

  add(elicitationId: string, act: () => void): void {
    if (elicitationId.length > MAX_ID) return;
    this.awaited ??= new LRUCache({ max: MAX_AWAITED });
    this.awaited.set(elicitationId, act);
  }

  /** Takes the params of `notifications/elicitation/complete`. */
  complete({ elicitationId }: McpObject): void {
    if (typeof elicitationId !== "string") return;
    const act = this.awaited?.get(elicitationId);
    this.awaited?.delete(elicitationId);
    act?.();
  }
}
