import * as v from "valibot";
import { Fault } from "../base/fault.ts";

/** The members of a body that selects tools: by name, or all by `approve_all` or `block_all`. */
export const toolNamesMember = v.optional(v.pipe(v.array(v.string()), v.description("bare tool names")));
export const allToolsMember = v.optional(v.pipe(v.boolean(), v.description("all tools, instead of `tools`")));

/** Returns the names, or "all" (spec 000 §4.2). @throws Fault invalid_request if the body has neither or both */
export function toolSelection(
  tools: readonly string[] | undefined,
  all: boolean | undefined,
  flag: "approve_all" | "block_all",
): readonly string[] | "all" {
  const named = tools !== undefined && tools.length > 0;
  if (named && all) throw new Fault("invalid_request", { reason: `send either tools or ${flag}, not both` });
  if (named) return tools;
  if (all) return "all";
  throw new Fault("invalid_request", { reason: `tools: name at least one, or send ${flag}: true` });
}
