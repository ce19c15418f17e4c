import { isJsonObject } from "../base/json-object.ts";
import type { McpObject } from "../schema/mcp.ts";

/** True if a client with these capabilities can be asked this question. */
export function canBeAsked(
  capabilities: McpObject,
  question: { readonly method?: unknown; readonly params?: unknown },
): boolean {
  const need = neededFor(question);
  return need !== undefined && declares(capabilities, need);
}

/**
 * Returns the client capability that a question needs, in the form in which clients declare it; undefined if the
 * request is not a question.
 */
export function neededFor({
  method,
  params,
}: {
  readonly method?: unknown;
  readonly params?: unknown;
}): McpObject | undefined {
  const parameters = isJsonObject(params) ? params : {};
  switch (method) {
    case "elicitation/create":
      return { elicitation: parameters.mode === "url" ? { url: {} } : {} };
    case "sampling/createMessage":
      return { sampling: parameters.tools === undefined ? {} : { tools: {} } };
    case "roots/list":
      return { roots: {} };
    default:
      return undefined;
  }
}

/**
 * True if the capabilities include the needed one. An elicitation capability without a mode means forms, as before
 * 2025-11-25, which introduced modes.
 */
export function declares(capabilities: McpObject, need: McpObject): boolean {
  return Object.entries(need).every(([name, parts]) => {
    const declared = capabilities[name];
    if (!isJsonObject(declared)) return false;
    if (name === "elicitation" && Object.keys(parts as object).length === 0)
      return declared.form !== undefined || declared.url === undefined;
    return Object.keys(parts as object).every((part) => declared[part] !== undefined);
  });
}
