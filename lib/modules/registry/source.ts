/** Where servers are looked for. */
export interface Source {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Its page; may be empty. */
  readonly url: string;
  /** Where its list is: https, `file:`, or `builtin:`. */
  readonly serversUrl: string;
  readonly protocol: string;
  readonly tags: readonly string[];
  readonly requiresKey?: boolean;
  /** A key or a reference to one. */
  readonly apiKey?: string;
  readonly provenance: "official" | "custom";
}
