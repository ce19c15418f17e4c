/** The two parts of a tool id. It is split at the first colon, because the name of a server contains none. */
interface ToolIdParts {
  readonly server: string;
  readonly tool: string;
}

/** Splits `server:tool`; undefined if a part or the colon is missing (spec 000 §2.6 rule 5). */
export function splitToolId(id: string): ToolIdParts | undefined {
  const colon = id.indexOf(":");
  if (colon <= 0 || colon === id.length - 1) return undefined;
  return { server: id.slice(0, colon), tool: id.slice(colon + 1) };
}
