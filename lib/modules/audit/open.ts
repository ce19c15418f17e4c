import { dirname, resolve } from "node:path";
import type { Writable } from "node:stream";
import * as v from "valibot";
import type { Clock } from "../../core/base/clock.ts";
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
  /** Standard output, if audit lines may be written to it. */
  stdout?: Writable | undefined;
}

/** Opens the audit log as configured; a change of its configuration takes effect at the next start. */
export function openAudit({ config, clock, log, stdout }: OpenOptions): Audit {
  const { audit_log } = config.current();
  const retention = v.parse(AuditLog, audit_log ?? {});
  const sink = auditSink(config, stdout !== undefined);
  return createAudit({ sink, dataDir: config.dataDir, retention: () => retention, clock, log, stdout });
}

function auditSink(
  { path, current, dataDir }: Pick<LiveConfig, "path" | "current" | "dataDir">,
  stdoutFree: boolean,
): Sink {
  const { audit_log: auditSettings, server_edition } = current();
  // A relative path is relative to the folder of the configuration file.
  const anchored = auditSettings?.path
    ? { ...auditSettings, path: resolve(dirname(path), auditSettings.path) }
    : auditSettings;
  return sinkOf({ asked: anchored, server: server_edition?.enabled === true, stdoutFree, dataDir });
}
