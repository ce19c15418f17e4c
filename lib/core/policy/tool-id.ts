/** The two halves of a tool id; split at the first colon, since a server's name holds none. */
interface ToolIdParts {
  readonly server: string;
  readonly tool: string;
}

/** Reads `server:tool`; undefined when a half or the colon is missing (spec 000 §2.6 rule 5). */
export function splitToolId(id: string): ToolIdParts | undefined {
  const colon = id.indexOf(":");
  if (colon <= 0 || colon === id.length - 1) return undefined;
  return { server: id.slice(0, colon), tool: id.slice(colon + 1) };
}
