/** The part of a server definition that says how the server is started or reached. */
export type Recipe =
  | { kind: string; command: string; args: string[]; env: Record<string, string> }
  | { kind: "remote"; protocol: "streamable-http" | "sse"; url: string; headers: Record<string, string> };

/** What the proxy and its machine offer to a server that is installed. */
export interface InstallHost {
  /** The container engine's command. */
  readonly engine: "docker" | "podman";
  /** Whether remote servers may have private addresses and use plain HTTP. */
  readonly allowsPrivateAddresses: boolean;
}
