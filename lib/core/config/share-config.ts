import { Fault, reasonOf } from "../base/fault.ts";
import { sameJson } from "../base/json-object.ts";
import type { Logger } from "../log/logger.ts";
import type { SharedConfig, SharedConfigVersion } from "../store/shared-config.ts";
import type { Config } from "./config-keys.ts";
import type { Follower } from "./follow.ts";
import type { SettingsInForce } from "./settings-in-force.ts";
import { replicaPart, sharedPart } from "./shared-part.ts";
import { proposedDocument, takeOverEdit, writeConfigFile } from "./update.ts";

/** The configuration of a replica of a cluster: its own keys are in its file, all others in the shared database. */
export interface ConfigSharing {
  /**
   * Changes the shared document, the file, or both. If another replica was first, its version is adopted and `change`
   * is called again with it.
   *
   * @returns true if anything changed
   * @throws Fault config_invalid, config_broken, config_unwritable, changed_meanwhile; whatever `change` throws
   */
  update(change: (draft: Config) => void, by: string): Promise<boolean>;
  /** The number of the version in force. */
  version(): number;
  /** Why the newest version was rejected; undefined while it is in force. */
  problem(): string | undefined;
  close(): void;
}

interface ShareOptions {
  readonly inForce: SettingsInForce;
  readonly follower: Follower;
  readonly source: SharedConfig;
  readonly log: Logger;
  /** Runs a function that uses the configuration; only one at a time. */
  serially<T>(work: () => Promise<T>): Promise<T>;
  /** Called after a version of another replica is in force. */
  onAdopted(by: string): void;
}

/** How often a change is repeated because another replica was first. Each time, somebody's change succeeded. */
const MAX_ATTEMPTS = 50;
const IMPORTER = "configuration file";

/**
 * Begins to share the configuration, before anything uses it. The first replica of a cluster stores the content of its
 * file; the files of the others count only for the keys that each replica has for itself.
 *
 * @throws Fault config_invalid if the shared document is not valid for this version
 */
export async function shareConfig(options: ShareOptions): Promise<ConfigSharing> {
  const { inForce, follower, source, log, serially, onAdopted } = options;
  const own = sharedPart(inForce.content);
  let adopted = source.current() ?? (await source.replace(own, 0, IMPORTER));
  if (!sameJson(adopted.document, own) && Object.keys(own).some((key) => !isEmptyList(own[key])))
    log.warn(
      `${inForce.path}: ${Object.keys(own).join(", ")} have no effect, because the replicas share a configuration in the database`,
    );
  try {
    inForce.share(adopted.document);
  } catch (error) {
    const reason = `the configuration in the cluster's database is not valid for this version: ${reasonOf(error)}; update this replica`;
    throw new Fault("config_invalid", { reason }, { cause: error });
  }

  let problem: string | undefined;
  const adopt = (next: SharedConfigVersion) => {
    inForce.replaceShared(next.document);
    adopted = next;
    problem = undefined;
    onAdopted(next.by);
  };
  const adoptNewest = async () => {
    const newest = source.current();
    if (!newest || newest.version === adopted.version) return;
    try {
      adopt(newest);
    } catch (error) {
      const reason = `the shared configuration is not valid for this version: ${reasonOf(error)}`;
      if (problem !== reason) log.error(`${reason}; the proxy keeps its current settings`);
      problem = reason;
    }
  };
  const stop = source.onChange(() => log.catch("adopting the shared configuration", serially(adoptNewest)));

  return {
    version: () => adopted.version,
    problem: () => problem,
    close: stop,
    async update(change, by) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        await takeOverEdit(inForce, follower);
        const { raw } = inForce.settings;
        const next = proposedDocument(inForce, change);
        if (sameJson(next, raw)) return false;
        const settings = inForce.resolve(next);
        const [shared, replica] = [sharedPart(next), replicaPart(next)];
        if (!sameJson(shared, sharedPart(raw))) {
          const newest = await source.replace(shared, adopted.version, by);
          if (newest.version !== adopted.version + 1 || !sameJson(newest.document, shared)) {
            adopt(newest);
            continue;
          }
          adopted = newest;
        }
        const content = { ...sharedPart(inForce.content), ...replica };
        const text = sameJson(replica, replicaPart(raw)) ? inForce.text : await writeConfigFile(inForce.path, content);
        inForce.replace(settings, text, { content, shared });
        return true;
      }
      throw new Fault("changed_meanwhile", { what: "the configuration" });
    },
  };
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
