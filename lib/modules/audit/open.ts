import { dirname, resolve } from "node:path";
import type { Writable } from "node:stream";
import * as v from "valibot";
import type { Clock } from "../../core/base/clock.ts";
import { ownFolder, type Worker, workerFile } from "../../core/base/worker.ts";
import type { LiveConfig } from "../../core/config/live-config.ts";
import type { Logger } from "../../core/log/logger.ts";
import type { Audit } from "./audit.ts";
import { AuditLog } from "./config.ts";
import { createAudit } from "./create.ts";
import { type Sink, sinkOf } from "./sink.ts";

interface OpenOptions {
  config: LiveConfig;
  clock: Clock;
  log: Logger;
  readonly worker: Worker | undefined;
  /** Standard output, if audit lines may be written to it. */
  stdout?: Writable | undefined;
}

/** Opens the audit log as configured; a change of its configuration takes effect at the next start. */
export function openAudit({ config, clock, log, worker, stdout }: OpenOptions): Audit {
  const { audit_log } = config.current();
  const retention = v.parse(AuditLog, audit_log ?? {});
  const dataDir = ownFolder(config.dataDir, worker);
  const sink = auditSink(config, { dataDir, worker, stdoutFree: stdout !== undefined });
  return createAudit({ sink, dataDir, retention: () => retention, clock, log, stdout });
}

function auditSink(
  { path, current }: Pick<LiveConfig, "path" | "current">,
  { dataDir, worker, stdoutFree }: { dataDir: string; worker: Worker | undefined; stdoutFree: boolean },
): Sink {
  const { audit_log: auditSettings, server_edition } = current();
  // A relative path is relative to the folder of the configuration file.
  const anchored = auditSettings?.path
    ? { ...auditSettings, path: workerFile(resolve(dirname(path), auditSettings.path), worker) }
    : auditSettings;
  return sinkOf({ asked: anchored, server: server_edition?.enabled === true, stdoutFree, dataDir });
}
