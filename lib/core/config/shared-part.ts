import type { JsonObject } from "../base/json-object.ts";
import { configKeys } from "./config-keys.ts";

/** The part of a document that each replica of a cluster has in its own file, such as its address and its folders. */
export function replicaPart(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([key]) => isReplicaKey(key)));
}

/** The part of a document that all replicas of a cluster share. */
export function sharedPart(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([key]) => !isReplicaKey(key)));
}

/** Returns the document of a replica: its own keys from its file, all other keys from the shared document. */
export function withSharedPart(content: JsonObject, shared: JsonObject): JsonObject {
  return { ...replicaPart(content), ...sharedPart(shared) };
}

function isReplicaKey(name: string): boolean {
  return name === "$schema" || configKeys().some(({ key, facts }) => key === name && facts.replica === true);
}
