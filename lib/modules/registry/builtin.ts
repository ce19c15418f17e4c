import { OFFICIAL } from "./protocols/protocols.ts";
import type { Source } from "./source.ts";

type Builtin = Omit<Source, "provenance">;

/** The built-in registries, the official one first (reference 10.1). */
export const BUILTINS: readonly Builtin[] = [
  {
    id: "official",
    name: "Official MCP Registry",
    description: "Servers announced by their publishers, without a review",
    url: "https://registry.modelcontextprotocol.io",
    serversUrl: "https://registry.modelcontextprotocol.io/v0.1/servers",
    protocol: OFFICIAL,
    tags: ["official"],
  },
  {
    id: "reference",
    name: "Reference Servers",
    description: "The reference servers of the protocol; available offline",
    url: "https://github.com/modelcontextprotocol/servers",
    serversUrl: "builtin://reference",
    protocol: "builtin/reference",
    tags: ["official", "offline"],
  },
  {
    id: "docker-mcp-catalog",
    name: "Docker MCP Catalog",
    description: "Servers as container images",
    url: "https://hub.docker.com/u/mcp",
    serversUrl: "https://hub.docker.com/v2/repositories/mcp/",
    protocol: "custom/docker",
    tags: ["oci"],
  },
];

const npm = (name: string, description: string, more: object = {}) => ({
  name: `io.modelcontextprotocol/${name}`,
  title: name,
  description,
  version: "2026.8.31",
  repository: { url: "https://github.com/modelcontextprotocol/servers" },
  packages: [
    {
      registryType: "npm",
      identifier: `@modelcontextprotocol/server-${name}`,
      version: "2026.8.31",
      transport: { type: "stdio" },
      ...more,
    },
  ],
});

const pypi = (name: string, version: string, description: string, more: object = {}) => ({
  ...npm(name, description),
  version,
  packages: [
    { registryType: "pypi", identifier: `mcp-server-${name}`, version, transport: { type: "stdio" }, ...more },
  ],
});

const folder = (name: string, description: string) => ({ valueHint: name, description, isRequired: true });

/** The list of the built-in registry `reference`, in the official format. */
export const REFERENCE_LIST = {
  servers: [
    npm("everything", "Shows every feature of the protocol; for trying out clients"),
    npm("filesystem", "Reads, writes, moves and searches files below one folder", {
      packageArguments: [{ type: "positional", ...folder("folder", "folder it may read and change") }],
    }),
    npm("memory", "Keeps facts as a graph of entities and relations in a file", {
      environmentVariables: [{ name: "MEMORY_FILE_PATH", description: "file that the graph is kept in" }],
    }),
    npm("sequential-thinking", "Lets a model think in numbered steps that it can revise"),
    pypi("fetch", "2026.10.24", "Fetches web pages and gives them as Markdown"),
    pypi("git", "2026.10.19", "Reads and changes a git repository", {
      packageArguments: [{ type: "named", name: "--repository", ...folder("repository", "folder of the repository") }],
    }),
    pypi("time", "2026.10.19", "Tells the time and converts between time zones", {
      packageArguments: [
        { type: "named", name: "--local-timezone", valueHint: "timezone", description: "such as Europe/Paris" },
      ],
    }),
  ],
};
