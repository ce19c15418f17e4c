import { test } from "node:test";
import type { Store } from "#lib/core/store/store.ts";
import { activityCases } from "./activity-cases.ts";
import { approvalCases } from "./approval-cases.ts";
import { documentCases } from "./document-cases.ts";
import { knownServerCases } from "./known-server-cases.ts";
import { scanCases } from "./scan-cases.ts";
import { secondStoreCases } from "./second-store-cases.ts";
import { sessionCases } from "./session-cases.ts";
import { signInCases } from "./sign-in-cases.ts";
import { tokenCases } from "./token-cases.ts";
import { usageCases } from "./usage-cases.ts";
import { userCases } from "./user-cases.ts";

/** An engine of the store, as the tests open it. */
interface EngineUnderTest {
  readonly name: string;
  /** Why the engine cannot be tested here. */
  readonly skip?: string | false;
  /** Whether several processes may have the same data open; then its opened stores have `beside`. */
  readonly shared?: boolean;
  /** Opens a store without any rows. */
  open(): Promise<OpenedStore>;
}

export interface OpenedStore {
  readonly store: Store;
  /** Closes the store and opens it again with the same data, as a restart of the program does. */
  reopen(): Promise<Store>;
  /** Opens a second store on the same data while the first is open. */
  beside?(): Promise<Store>;
  /** Closes the store, however often it was opened again, and removes its data. */
  close(): Promise<void>;
}

/** One promise of the interface, by the sentence that says it. */
export type ContractCase = readonly [title: string, run: (opened: OpenedStore) => Promise<void>];

const CASES: Readonly<Record<string, readonly ContractCase[]>> = {
  approvals: approvalCases,
  "known servers": knownServerCases,
  tokens: tokenCases,
  "sign-ins": signInCases,
  users: userCases,
  activity: activityCases,
  sessions: sessionCases,
  usage: usageCases,
  scans: scanCases,
  "values, documents and answers": documentCases,
};

/** Tests that an engine keeps every promise of the interface in `lib/core/store/store.ts`. */
export function storeContract(engine: EngineUnderTest): void {
  const tables = { ...CASES, ...(engine.shared && { "two stores": secondStoreCases }) };
  for (const [table, cases] of Object.entries(tables))
    for (const [title, run] of cases)
      test(`${engine.name}, ${table}: ${title}`, { skip: engine.skip ?? false }, async () => {
        const opened = await engine.open();
        try {
          await run(opened);
        } finally {
          await opened.close();
        }
      });
}
