import { reasonOf } from "../../base/fault.ts";
import { nextLoopTurn, runSteps } from "../../base/loop-share.ts";
import type { Reply } from "../../schema/mcp.ts";
import { LIST_MEMBERS, type ListMethod } from "../discover-tools.ts";
import { UpstreamError } from "../errors.ts";
import { TOO_DEEP_TEXT } from "./depth.ts";
import { readLargeListing } from "./large-listing.ts";
import { readUpstreamMessage } from "./upstream-message.ts";

/** Longer results are parsed in pieces; shorter ones take a few milliseconds. (characters) */
const LARGE_LISTING = 256 * 1024;

export const isListMethod = (method: string): method is ListMethod => Object.hasOwn(LIST_MEMBERS, method);

/**
 * Parses the response to a list request when no more urgent work waits, because hundreds of servers may respond at
 * once.
 *
 * @param text the whole message
 * @param raw the text of its result
 * @throws UpstreamError
 */
export async function listingReply(method: ListMethod, text: string, raw: string): Promise<Reply> {
  try {
    await nextLoopTurn("background");
    if (raw.length <= LARGE_LISTING) return wholeListing(text);
    return { result: await runSteps(readLargeListing(raw, LIST_MEMBERS[method]), "background"), raw };
  } catch (error) {
    const reason = reasonOf(error);
    throw new UpstreamError(error instanceof SyntaxError ? `its response to ${method} is not JSON: ${reason}` : reason);
  }
}

function wholeListing(text: string): Reply {
  const message = readUpstreamMessage(text);
  if (message.kind === "too deep") throw new UpstreamError(TOO_DEEP_TEXT);
  if (message.kind !== "result") throw new UpstreamError("its response to a list request is not a result");
  return message.reply;
}
