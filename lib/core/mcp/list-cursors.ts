import { RpcError } from "../schema/mcp.ts";
import { invalidParams } from "./rpc.ts";
import type { SealedStates } from "./sealed-states.ts";

/** The list and the owner that a cursor belongs to. It is valid for no other. */
interface CursorBinding {
  readonly list: string;
  /** See `ownerKey`. */
  readonly owner: string;
}

/** Returns the cursor for a position in a list. */
export function listCursor(states: SealedStates, binding: CursorBinding, place: string): Promise<string> {
  return states.sealId(placeOf(binding), place);
}

/** Returns the position that a cursor names. @throws RpcError -32602 for a cursor that does not belong to this list */
export async function readListCursor(states: SealedStates, binding: CursorBinding, cursor: unknown): Promise<string> {
  const place = typeof cursor === "string" ? await states.open(placeOf(binding), cursor) : undefined;
  if (place === undefined)
    throw new RpcError(invalidParams("unknown cursor; send nextCursor as returned, or no cursor"));
  return place;
}

const placeOf = ({ list, owner }: CursorBinding) => JSON.stringify(["list cursor", list, owner]);
