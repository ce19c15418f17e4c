/** The part of a server definition that describes how the server is started or contacted. */
export type Recipe =
  | { kind: string; command: string; args: string[]; env: Record<string, string> }
  | { kind: "remote"; protocol: "streamable-http" | "sse"; url: string; headers: Record<string, string> };

/** The facts about the proxy and its machine that a plan depends on. */
export interface InstallHost {
  /** The container engine's command. */
  readonly engine: "docker" | "podman";
  /** Whether remote servers may have private addresses and use plain HTTP. */
  readonly allowsPrivateAddresses: boolean;
}
