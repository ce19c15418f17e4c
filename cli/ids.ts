import { UsageError } from "./exit.ts";

/** Splits `server:tool`. @throws UsageError */
export function splitTool(id: string): { server: string; tool: string } {
  const at = id.indexOf(":");
  if (at < 1 || at === id.length - 1) throw new UsageError(`"${id}" is not a tool id; write it as server:tool`);
  return { server: id.slice(0, at), tool: id.slice(at + 1) };
}

/** Tools by their server, in the order written. @throws UsageError */
export function byServer(ids: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { server, tool } of ids.map(splitTool)) found.set(server, [...(found.get(server) ?? []), tool]);
  return found;
}
