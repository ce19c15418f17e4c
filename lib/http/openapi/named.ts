import type { GenericSchema } from "valibot";
import { ActivityDetail, ActivityEntry } from "../../shape/activity-entry.ts";
import { EVENT_FRAMES } from "../../shape/event-payload.ts";
import { ImportResult } from "../../shape/import-result.ts";
import { Job } from "../../shape/job.ts";
import { ListedServer, RegistryRecord } from "../../shape/registry.ts";
import { ScanFinding, ScanJob, ScanReport, ScanSummary } from "../../shape/scan.ts";
import { BulkAnswer, HealthRecord, ServerAction, ServerRecord } from "../../shape/server-record.ts";
import { SessionEntry } from "../../shape/session-entry.ts";
import { TokenEntry } from "../../shape/token-entry.ts";
import { ToolEntry } from "../../shape/tool-entry.ts";
import { UserEntry } from "../../shape/user-entry.ts";
import { ChangeAnswer } from "../config-shapes.ts";
import { ClientStatusShape } from "../connect-shapes.ts";
import { FindingShape } from "../doctor-shapes.ts";
import { DryRun } from "../dry-run.ts";

/** What is answered in several places has a name there, so that programs made from the document have one type for it. */
export const NAMED: Readonly<Record<string, GenericSchema>> = {
  Activity: ActivityEntry,
  ActivityDetail,
  BulkAnswer,
  Client: ClientStatusShape,
  ConfigChange: ChangeAnswer,
  Finding: FindingShape,
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
