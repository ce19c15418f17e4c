import { hash } from "node:crypto";
import { canonicalJson } from "../base/canonical.ts";
import { NEXT_REQUEST_MS } from "../gateway/await-answers.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { SealedStates } from "./sealed-states.ts";

/** What a state belongs to: it is good for nothing else. */
export interface RequestStateBinding {
  /** Who was asked. */
  readonly owner: string;
  /** The endpoint's mode, the tool's name there, and its arguments. */
  readonly mode: string;
  readonly name: string;
  readonly args: McpObject;
}

/** An upstream's `requestState` on its way through a client, which is not trusted with it (2026-07-28, multi round-trip). */
interface RequestStates {
  seal(state: string, of: RequestStateBinding): Promise<string>;
  /** @returns undefined for what was not sealed here, was for something else, or is too old */
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
