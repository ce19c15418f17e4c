/** One server of a registry in a common form: validated, limited in size, and without terminal control characters. */
export interface Entry {
  readonly id: string;
  /** Display name. */
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  /** URL of its page. */
  readonly url?: string;
  readonly source?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly tags: readonly string[];
  /** A status such as `deprecated`; absent if active. */
  readonly status?: string;
  readonly packages: readonly Package[];
  readonly remotes: readonly Remote[];
}

/** A package that can be downloaded from a package registry and run. */
export interface Package {
  /** `npm`, `pypi`, `oci`, `nuget`, or another kind that the registry names. */
  readonly kind: string;
  readonly identifier: string;
  readonly version?: string;
  /** Package registry, if not the default one. */
  readonly base?: string;
  readonly transport: string;
  readonly runtimeArgs: readonly Argument[];
  readonly args: readonly Argument[];
  readonly env: readonly Input[];
}

/** A remote server. */
export interface Remote {
  /** `streamable-http` or `sse`. */
  readonly transport: string;
  readonly url: string;
  readonly headers: readonly Input[];
  /** The placeholders in the URL. */
  readonly variables: readonly Input[];
}

/**
 * A value of a header, variable or argument. The user who installs the server gives values that the registry does not
 * set.
 */
export interface Input {
  /** Name of the input; for a header or variable, also its target. */
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly secret: boolean;
  /** The registry's value, with `{name}` as the placeholder of a variable. */
  readonly value?: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** `number` or `boolean`; absent for text. */
  readonly format?: string;
  readonly variables: readonly Input[];
}

export interface Argument extends Input {
  /** Flag of a named argument, such as `--name`. */
  readonly flag?: string;
  /** Set for a flag without a value. */
  readonly bare?: boolean;
}
