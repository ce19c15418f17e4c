/** One server of a registry, whatever the registry's own form: checked, bounded, and free of what could steer a terminal. */
export interface Entry {
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  /** Its page. */
  readonly url?: string;
  readonly source?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly tags: readonly string[];
  /** Such as `deprecated`; absent while all is well. */
  readonly status?: string;
  readonly packages: readonly Package[];
  readonly remotes: readonly Remote[];
}

/** Something that can be fetched from a package registry and run. */
export interface Package {
  /** `npm`, `pypi`, `oci`, `nuget`, or what else the registry says. */
  readonly kind: string;
  readonly identifier: string;
  readonly version?: string;
  /** The package registry it comes from, where it is not the usual one. */
  readonly base?: string;
  /** The program that is meant to run it. */
  readonly hint?: string;
  readonly transport: string;
  readonly runtimeArgs: readonly Argument[];
  readonly args: readonly Argument[];
  readonly env: readonly Input[];
}

/** A server that runs somewhere. */
export interface Remote {
  /** `streamable-http` or `sse`. */
  readonly transport: string;
  readonly url: string;
  readonly headers: readonly Input[];
  /** What stands in braces in the address. */
  readonly variables: readonly Input[];
}

/** A value of a header, variable or argument; whoever installs the server gives what is not said. */
export interface Input {
  /** Under which it is given; of a header or variable also where it goes. */
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly secret: boolean;
  /** Said by the registry; holds `{name}` where a variable goes. */
  readonly value?: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** `number` or `boolean` where it is one. */
  readonly format?: string;
  readonly variables: readonly Input[];
}

export interface Argument extends Input {
  /** `--name` of a named one. */
  readonly flag?: string;
  /** A flag that stands alone. */
  readonly bare?: boolean;
}
