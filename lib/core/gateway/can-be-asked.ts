import { isJsonObject } from "../base/json-object.ts";
import type { McpObject } from "../schema/mcp.ts";

/** Whether a client with these capabilities can be asked this. */
export function canBeAsked(
  capabilities: McpObject,
  question: { readonly method?: unknown; readonly params?: unknown },
): boolean {
  const need = neededFor(question);
  return need !== undefined && declares(capabilities, need);
}

/** The client capability a question needs, in the shape clients declare it; undefined for what is no question. */
export function neededFor({
  method,
  params,
}: {
  readonly method?: unknown;
  readonly params?: unknown;
}): McpObject | undefined {
  const given = isJsonObject(params) ? params : {};
  switch (method) {
    case "elicitation/create":
      return { elicitation: given.mode === "url" ? { url: {} } : {} };
    case "sampling/createMessage":
      return { sampling: given.tools === undefined ? {} : { tools: {} } };
    case "roots/list":
      return { roots: {} };
    default:
      return undefined;
  }
}

/** An elicitation capability that names no mode means forms, as it did before there were two. */
export function declares(capabilities: McpObject, need: McpObject): boolean {
  return Object.entries(need).every(([name, parts]) => {
    const declared = capabilities[name];
    if (!isJsonObject(declared)) return false;
    if (name === "elicitation" && Object.keys(parts as object).length === 0)
      return declared.form !== undefined || declared.url === undefined;
    return Object.keys(parts as object).every((part) => declared[part] !== undefined);
  });
}
