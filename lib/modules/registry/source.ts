/** A registry. */
export interface Source {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** URL of its page; may be empty. */
  readonly url: string;
  /** URL of its list: https, `file:`, or `builtin:`. */
  readonly serversUrl: string;
  readonly protocol: string;
  readonly tags: readonly string[];
  readonly requiresKey?: boolean;
  /** A key, or a secret reference. */
  readonly apiKey?: string;
  readonly provenance: "official" | "custom";
}
