import { address, exact, isId, memberOf, present, prose } from "../read.ts";
import type { Found } from "./official.ts";

/**
 * Reads a repository of Docker Hub's list. It names no tag: the digest of the newest image is looked up when a server
 * is added.
 */
export function dockerEntry(item: unknown): Found | undefined {
  const name = memberOf(item, "name");
  const namespace = exact(memberOf(item, "namespace"), 100) ?? "mcp";
  if (!isId(name)) return undefined;
  const image = {
    kind: "oci",
    identifier: `${namespace}/${name}`,
    transport: "stdio",
    runtimeArgs: [],
    args: [],
    env: [],
  };
  return {
    latest: false,
    entry: {
      id: name,
      name,
      description: prose(memberOf(item, "description"), 2000) ?? "",
      ...present({
        url: address(`https://hub.docker.com/r/${namespace}/${name}`),
        createdAt: prose(memberOf(item, "date_registered"), 40),
        updatedAt: prose(memberOf(item, "last_updated"), 40),
      }),
      tags: ["oci"],
      packages: [image],
      remotes: [],
    },
  };
}
