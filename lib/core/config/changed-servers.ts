import { isJsonObject, type JsonObject, sameJson } from "../base/json-object.ts";

/** Returns the names of the servers whose entries differ between two documents, or are in one of them only; sorted. */
export function changedServers(before: JsonObject, after: JsonObject): string[] {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => !sameJson(old.get(name), now.get(name))).sort();
}

/** The servers of a document by name. A hand-edited file may also have them as an object. */
function entriesOf({ mcpServers: servers }: JsonObject): Map<string, unknown> {
  if (isJsonObject(servers)) return new Map(Object.entries(servers));
  if (!Array.isArray(servers)) return new Map();
  return new Map(
    servers.flatMap((entry) => (isJsonObject(entry) && typeof entry.name === "string" ? [[entry.name, entry]] : [])),
  );
}
