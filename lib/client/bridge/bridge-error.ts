import { Fault, reasonOf } from "../../core/base/fault.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import { RPC, type RpcErrorObject, type RpcId } from "../../core/schema/mcp.ts";
import type { BridgeResponse } from "./post-message.ts";

/** A complete error response. */
export function errorText(id: RpcId | null, error: RpcErrorObject): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

/** The error that the client gets for a request without a response. */
export function errorFor(error: unknown): RpcErrorObject {
  if (!(error instanceof Fault)) return { code: RPC.internal, message: reasonOf(error) };
  const wasSent = error.code === "daemon_unreachable";
  const message = wasSent ? `${error.message}; the request may have been carried out` : error.message;
  return { code: RPC.internal, message, data: { code: error.code } };
}

/**
 * The error to report for a response without a JSON-RPC answer: the error that the proxy put into its body, or one made from
 * its status.
 */
export function refusalIn({ status, text }: BridgeResponse): RpcErrorObject {
  if (status === 200) return LOST;
  const error = errorIn(text);
  if (!error) return { code: RPC.internal, message: `the proxy answered with status ${status}`, data: { status } };
  const { code, message, data } = error;
  return {
    code: typeof code === "number" ? code : RPC.internal,
    message: typeof message === "string" ? message : `the proxy answered with status ${status}`,
    ...(data !== undefined && { data }),
  };
}

/** For a response that ended before the JSON-RPC answer. */
const LOST: RpcErrorObject = {
  code: RPC.internal,
  message: "the proxy ended the connection before it answered; the request may have been carried out",
  data: { code: "daemon_unreachable" },
};

function errorIn(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && isJsonObject(value.error) ? value.error : undefined;
  } catch {
    return undefined;
  }
}
