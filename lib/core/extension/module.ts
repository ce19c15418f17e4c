import type { App, Part } from "../app.ts";
import type { DoctorCheck } from "./doctor-checks.ts";
import type { PolicyFact } from "./policy-facts.ts";
import type { SealingKeySource } from "./sealing-key-source.ts";
import type { StoreEngine } from "./store-engine.ts";

/**
 * A feature outside the core: what it adds at the extension points. The file `lib/modules/<name>/module.ts` exports
 * one; `build/generate-tables.mjs` collects them. The core never imports a module (docs/internals/adding-a-module.md).
 */
export interface Module {
  /** The name of its folder. */
  readonly name: string;
  /** Other modules whose files it imports. */
  readonly needs?: readonly string[];
  /** The keys that it adds to the configuration, from its `config.ts`. */
  readonly config?: object;
  /** The faults that it adds, from its `faults.ts`. */
  readonly faults?: object;
  /** Implementations of parts that the core declares: launcher, upstream credentials, caller source, inspectors, audit. */
  readonly provides?: readonly Provision[];
  /** Opens the store in another database than the embedded one, if the configuration selects it. */
  readonly storeEngine?: StoreEngine;
  /** Provides the keys that seal stored secrets, instead of those of the data directory. */
  readonly sealingKeys?: SealingKeySource;
  /** Returns a function that can forbid the use of a tool. */
  policy?(app: App): PolicyFact;
  /** The checks that it adds to `proxy doctor`. */
  readonly doctorChecks?: readonly DoctorCheck[];
  /** Throws if the module cannot work with the configuration, so that the program does not start. */
  check?(app: App): Promise<void>;
  /** Runs when the App is open and before any server is connected. @returns a function that stops what it started */
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
