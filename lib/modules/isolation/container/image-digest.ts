import { EngineError } from "./api.ts";
import type { Engine } from "./engine.ts";

/** Timeout of a look-up (ms). */
const LOOK_MS = 3000;

/**
 * The image that a name refers to on this machine: its digest in the registry it came from, or else the engine's own
 * ID.
 *
 * @param names tried in order
 * @returns undefined if no engine responds or it has none of the images
 */
export async function imageDigest(
  engine: Pick<Engine, "state" | "api">,
  names: readonly string[],
): Promise<string | undefined> {
  if (!(await engine.state()).available) return undefined;
  const api = await engine.api();
  try {
    for (const name of api ? names : []) {
      const signal = AbortSignal.timeout(LOOK_MS);
      const found = await api!.ask("GET", `/images/${name}/json`, { signal }).catch((error) => {
        if (error instanceof EngineError && error.status === 404) return undefined;
        throw error;
      });
      const { Id, RepoDigests } = Object(found) as { Id?: unknown; RepoDigests?: unknown };
      const [first] = Array.isArray(RepoDigests) ? RepoDigests.map(String) : [];
      const digest = first?.slice(first.indexOf("@") + 1) ?? Id;
      if (typeof digest === "string" && digest !== "") return digest.includes(":") ? digest : `sha256:${digest}`;
    }
  } catch {
    // A failed look-up means that the digest is unknown.
  }
  return undefined;
}
