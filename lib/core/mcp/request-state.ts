import { hash } from "node:crypto";
import { canonicalJson } from "../base/canonical.ts";
import { NEXT_REQUEST_MS } from "../gateway/await-answers.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { SealedStates } from "./sealed-states.ts";

/** The call that a state belongs to. The state is valid for no other call. */
export interface RequestStateBinding {
  /** The caller that was asked. */
  readonly owner: string;
  /** The endpoint's mode, the name of the called item, and the arguments. */
  readonly mode: string;
  readonly name: string;
  readonly args: McpObject;
}

/**
 * Seals an upstream's `requestState` for its way through a client, which is not trusted (2026-07-28, multi round-trip).
 */
interface RequestStates {
  seal(state: string, of: RequestStateBinding): Promise<string>;
  /** Opens a sealed state. @returns undefined if the text was not sealed here or for another call, or is too old */
  open(sealed: string, of: RequestStateBinding): Promise<string | undefined>;
}

export function createRequestStates(states: () => SealedStates): RequestStates {
  return {
    seal: (state, of) => states().seal(placeOf(of), state, NEXT_REQUEST_MS),
    open: (sealed, of) => states().open(placeOf(of), sealed),
  };
}

function placeOf({ owner, mode, name, args }: RequestStateBinding): string {
  return JSON.stringify(["request state", owner, mode, name, hash("sha256", canonicalJson(args))]);
}
