import { Fault } from "../base/fault.ts";
import { RpcError } from "../schema/mcp.ts";

/** Returns the code of an error for measurements and traces. It has few values: never a text of a server. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof Fault) return error.code;
  return error instanceof RpcError ? String(error.code) : "_OTHER";
}
