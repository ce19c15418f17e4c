import type { App, Part } from "../app.ts";
import type { DoctorCheck } from "./doctor-checks.ts";
import type { PolicyFact } from "./policy-facts.ts";

/**
 * A feature beside the core: what it adds at the extension points. The file `lib/modules/<name>/module.ts` exports one;
 * `build/routes.mjs` collects them. The core never imports a module (docs/internals/adding-a-module.md).
 */
export interface Module {
  /** The name of its folder. */
  readonly name: string;
  /** Other modules whose files it imports. */
  readonly needs?: readonly string[];
  /** Its keys of the configuration, from its `config.ts`. */
  readonly config?: object;
  /** Its rows of the table of faults, from its `faults.ts`. */
  readonly faults?: object;
  /** Implementations of parts that the core declares: launcher, upstream credentials, caller source, inspectors, audit. */
  readonly provides?: readonly Provision[];
  /** A reason of its own why a tool may not be called. */
  policy?(app: App): PolicyFact;
  /** What `proxy doctor` checks of the module. */
  readonly doctorChecks?: readonly DoctorCheck[];
  /** Refuses a start with a configuration that the module cannot work with. */
  check?(app: App): Promise<void>;
  /** Runs when the App is open, before anything connects. @returns ends what it began */
  start?(app: App): () => unknown;
}

/** One part of the core and the module's implementation of it. */
interface Provision {
  readonly key: Part<unknown>;
  open(app: App): unknown;
}

/** Declares a module. */
export const module = (name: string, added: Omit<Module, "name">): Module => ({ name, ...added });

/** Implements a part that the core declares. */
export function provide<T>(key: Part<T>, open: (app: App) => T): Provision {
  return { key: key as Part<unknown>, open };
}
