import type { App } from "../../core/app.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import type { ItemRow } from "../../core/schema/item.ts";
import type { RuleFinding } from "../../core/schema/rule-finding.ts";
import type { ScanFinding } from "../../core/schema/scan.ts";
import type { ToolRow } from "../../core/schema/tool.ts";
import type { Installed } from "../packages/installed.ts";
import type { Launch } from "../packages/launch.ts";

/** The scanned server in its current state. */
export interface Subject {
  readonly server: ServerConfig;
  readonly tools: readonly ToolRow[];
  /** Prompts, resources and resource templates, in this order. */
  readonly items: readonly ItemRow[];
  readonly instructions: string | undefined;
  readonly launch: Launch;
  readonly installed: Installed | undefined;
}

/** One file that was read, by its path relative to the program's folder. */
export interface ScannedFile {
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
}

export interface Outcome {
  findings: ScanFinding[];
  /** Whether everything was read. */
  complete: boolean;
  /** Why there was nothing to scan. */
  skipped?: string;
  /** The files of the program that were read. */
  files?: readonly ScannedFile[];
}

/** A scanner. An error that it throws affects only its own result. */
export interface Scanner {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: "built-in" | "container";
  readonly inputs: readonly ("tools" | "definition" | "source")[];
  readonly image?: string;
  /** Replaces the default timeout (ms). */
  readonly timeoutMs?: number;
  run(app: App, subject: Subject, signal: AbortSignal): Promise<Outcome>;
}

/** Converts a finding of the rules to the form of a report. */
export function reportedFinding(
  { rule, severity, location, excerpt, explanation }: RuleFinding,
  more: Pick<ScanFinding, "scanner" | "threat_type"> & Partial<ScanFinding>,
): ScanFinding {
  return {
    rule_id: rule,
    severity,
    threat_level:
      severity === "critical" || severity === "high" ? "dangerous" : severity === "medium" ? "warning" : "info",
    title: explanation,
    location,
    ...(excerpt && { evidence: excerpt }),
    ...more,
  };
}
