import { createHash } from "node:crypto";
import { SHARING_STEPS } from "./shared/sharing-steps.ts";
import { PROCESS_STEPS } from "./stdio/process-steps.ts";
import { STORE_STEPS } from "./store-steps.ts";

/** A change of the tables. Its number is its place in the list, from 1. A released step never changes. */
export type SchemaStep = ExpandStep | ContractStep | IndexStep;

/** Only adds, so that the release before works beside this one. */
interface ExpandStep {
  readonly kind: "expand";
  readonly sql: string;
}

/** Takes away what no living program uses any more. */
interface ContractStep {
  readonly kind: "contract";
  /** Every living program must know at least this many steps. */
  readonly needs: number;
  readonly sql: string;
}

/** Adds an index to a table with rows. It is made beside writes, which is not possible in a transaction. */
export interface IndexStep {
  readonly kind: "index";
  readonly name: string;
  /** Table and columns: `activity (at, id)`. */
  readonly on: string;
}

/** Identifies the content of a step in the database. */
export function stepDigest(step: SchemaStep): string {
  return createHash("sha256").update(JSON.stringify(step)).digest("hex").slice(0, 32);
}

/** All steps: the tables that the core of the cluster needs, then those of the store, of the processes and of what is shared for a time. */
export const SCHEMA_STEPS: readonly SchemaStep[] = [
  {
    kind: "expand",
    sql: `
      create table revision (
        topic text primary key, rev bigint not null default 0, horizon bigint not null default 0
      );
      create table lease (
        name text primary key, holder text not null, token bigint not null, expires_at timestamptz not null
      );
      create table claim (
        name text primary key, holder text not null, expires_at timestamptz not null
      )`,
  },
  ...STORE_STEPS,
  ...PROCESS_STEPS,
  ...SHARING_STEPS,
];
