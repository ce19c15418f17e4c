/** What a server's definition says about running or reaching it. */
export type Recipe =
  | { kind: string; command: string; args: string[]; env: Record<string, string> }
  | { kind: "remote"; protocol: "streamable-http" | "sse"; url: string; headers: Record<string, string> };

/** What the machine and the configuration allow. */
export interface Means {
  /** The container engine's command. */
  readonly engine: "docker" | "podman";
  /** Remote servers may stand at private addresses and speak plain http. */
  readonly inward: boolean;
}
