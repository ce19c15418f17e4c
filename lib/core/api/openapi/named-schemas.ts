import type { GenericSchema } from "valibot";
import { ActivityDetailShape, ActivityEntryShape } from "../../schema/activity-entry.ts";
import { ClientStatusShape } from "../../schema/connect-shapes.ts";
import { DoctorFindingShape } from "../../schema/doctor-shapes.ts";
import { EVENT_FRAMES } from "../../schema/event-payload.ts";
import { ImportResult } from "../../schema/import-result.ts";
import { Job } from "../../schema/job.ts";
import { ListedServer, RegistryRecord } from "../../schema/registry.ts";
import { ScanFinding, ScanJob, ScanReport, ScanSummary } from "../../schema/scan.ts";
import { BulkAnswer, HealthRecord, ServerAction, ServerRecord } from "../../schema/server-record.ts";
import { SessionEntry } from "../../schema/session-entry.ts";
import { SettingsChange } from "../../schema/settings-change.ts";
import { TokenEntry } from "../../schema/token-entry.ts";
import { ToolEntry } from "../../schema/tool-entry.ts";
import { UserEntry } from "../../schema/user-entry.ts";
import { DryRun } from "../dry-run.ts";

/** Schemas used by several responses have a name, so that code generated from the document has one type for each. */
export const NAMED_SCHEMAS: Readonly<Record<string, GenericSchema>> = {
  Activity: ActivityEntryShape,
  ActivityDetail: ActivityDetailShape,
  BulkAnswer,
  Client: ClientStatusShape,
  ConfigChange: SettingsChange,
  Finding: DoctorFindingShape,
  Health: HealthRecord,
  ImportResult,
  DryRun,
  Job,
  ListedServer,
  Registry: RegistryRecord,
  ScanFinding,
  ScanJob,
  ScanReport,
  ScanSummary,
  Server: ServerRecord,
  ServerAction,
  Session: SessionEntry,
  Token: TokenEntry,
  Tool: ToolEntry,
  User: UserEntry,
  ...Object.fromEntries(Object.entries(EVENT_FRAMES).map(([kind, frame]) => [`Event.${kind}`, frame])),
};
