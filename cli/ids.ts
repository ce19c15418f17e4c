import { UsageError } from "./exit.ts";

/** Splits `server:tool`. @throws UsageError */
export function splitTool(id: string, noun = "tool"): { server: string; tool: string } {
  const at = id.indexOf(":");
  if (at < 1 || at === id.length - 1) throw new UsageError(`"${id}" is not a ${noun} id; write it as server:${noun}`);
  return { server: id.slice(0, at), tool: id.slice(at + 1) };
}

/** Groups tools or other items by server, in the order given. @throws UsageError */
export function byServer(ids: readonly string[], noun?: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { server, tool } of ids.map((id) => splitTool(id, noun)))
    found.set(server, [...(found.get(server) ?? []), tool]);
  return found;
}
