import type { Clock } from "../base/clock.ts";
import type { Worker } from "../base/worker.ts";
import type { Config } from "../config/config-keys.ts";
import type { Logger } from "../log/logger.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Store } from "../store/store.ts";

/** What there is when the store is opened, which is before the App. */
export interface StoreStart {
  readonly config: Config;
  /** The folder for the files of this process. */
  readonly dir: string;
  /** Set if this process is one of several workers, which need a shared database. */
  readonly worker?: Worker | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Resolves references in the configuration. */
  readonly secrets: Pick<Secrets, "resolve">;
  /** Ends the program, because it can no longer work with the database. */
  readonly onFatal?: ((error: Error) => void) | undefined;
}

/**
 * Opens the store in another database than the embedded one. The tests in `test/lib/core/store/contract/` say what each
 * engine must do.
 *
 * @returns undefined if the configuration does not select this database
 * @throws Fault of its module, which names the remedy; then the program does not start
 */
export type StoreEngine = (start: StoreStart) => Promise<Store> | undefined;
