import { RpcError } from "../schema/mcp.ts";
import { invalidParams } from "./rpc.ts";
import type { SealedStates } from "./sealed-states.ts";

/** Which list of whom a cursor belongs to; it is good for no other. */
interface CursorBinding {
  readonly list: string;
  /** See `ownerKey`. */
  readonly owner: string;
}

/** The cursor of a place in a list. */
export function listCursor(states: SealedStates, binding: CursorBinding, place: string): Promise<string> {
  return states.sealId(placeOf(binding), place);
}

/** @throws RpcError -32602 for a cursor that is none of this list */
export async function readListCursor(states: SealedStates, binding: CursorBinding, cursor: unknown): Promise<string> {
  const place = typeof cursor === "string" ? await states.open(placeOf(binding), cursor) : undefined;
  if (place === undefined)
    throw new RpcError(invalidParams("unknown cursor; send nextCursor as returned, or no cursor"));
  return place;
}

const placeOf = ({ list, owner }: CursorBinding) => JSON.stringify(["list cursor", list, owner]);
