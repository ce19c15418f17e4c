import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ActivityRecord } from "#lib/shape/activity.ts";
import type { ApprovalRow } from "#lib/shape/tool.ts";
import { type Files, hostFiles } from "#lib/store/sqlite/files.ts";

/** A fresh temporary folder and how to remove it. */
export function temporaryFolder(): { dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** The real disk; while `fail` is set, the calls it names throw that instead. */
export interface FaultyFiles extends Files {
  fail: { on: readonly (keyof Files)[]; code: string } | undefined;
}

export function faultyFiles(): FaultyFiles {
  const files: FaultyFiles = { ...hostFiles, fail: undefined };
  for (const call of Object.keys(hostFiles) as (keyof Files)[]) {
    const real = hostFiles[call] as (...inputs: unknown[]) => unknown;
    const faulty = (...inputs: unknown[]) => {
      if (!files.fail?.on.includes(call)) return real(...inputs);
      const { code } = files.fail;
      throw Object.assign(new Error(`${code}: told to fail, ${call}`), { code, syscall: call });
    };
    Object.assign(files, { [call]: faulty });
  }
  return files;
}

let made = 0;

/** A record of a successful call, with what a test cares about. */
export function activityRecord(own: Partial<ActivityRecord> = {}): ActivityRecord {
  const at = own.at ?? 1_700_000_000_000;
  return {
    id: `r${String(made++).padStart(10, "0")}`,
    type: "tool_call",
    source: "mcp",
    status: "success",
    at,
    ...own,
  };
}

export function approvalRow(server: string, tool: string, own: Partial<ApprovalRow> = {}): ApprovalRow {
  const current = { name: tool, description: `does ${tool}`, inputSchema: { type: "object" } };
  return {
    server,
    tool,
    status: "pending",
    disabled: false,
    currentHash: "sha256/v1:00",
    current,
    updatedAt: 1,
    ...own,
  };
}
