import { createHash } from "node:crypto";

/**
 * Returns the replica that should run the process of a server: the one with the highest hash of both names. Every
 * replica comes to the same result without asking, the servers spread evenly, and when a replica ends, only its servers
 * get another one.
 */
export function preferredReplica(server: string, replicas: readonly string[]): string | undefined {
  let best: { id: string; weight: string } | undefined;
  for (const id of replicas) {
    const weight = createHash("sha256").update(`${server}\0${id}`).digest("hex");
    if (!best || weight > best.weight) best = { id, weight };
  }
  return best?.id;
}
