import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import type { Caller } from "../../core/schema/caller.ts";
import type { ScanFinding, ScanJob } from "../../core/schema/scan.ts";
import type { ScannedFiles } from "../../core/schema/scanned-files.ts";
import { findServer } from "../../core/verbs/servers/find.ts";
import type { ScannedFile } from "./scanner.ts";

interface FilesWanted {
  readonly limit: number;
  readonly offset: number;
  /** Return only files with findings. */
  readonly suspicious: boolean;
}

/** The files that the last scan of a server read, as stored. */
type StoredFiles = Pick<ScannedFiles, "job_id"> & { readonly dir: string; readonly files: readonly ScannedFile[] };

const key = (server: string) => `scan.files.${server}`;

/** Stores which files a scan read; for each server only those of its last scan. */
export async function keepFiles(
  app: App,
  { id, server_name }: ScanJob,
  dir: string,
  files: readonly ScannedFile[],
): Promise<void> {
  await app.store.documents.set(key(server_name), { job_id: id, dir, files } satisfies StoredFiles);
}

/** Deletes the list of files that the last scan of a server read. */
export async function forgetFiles(app: App, server: string): Promise<void> {
  await app.store.documents.set(key(server), undefined);
}

/** @throws Fault server_not_found, no_such_record if no scan read any file */
export async function scanFiles(
  app: App,
  server: string,
  { limit, offset, suspicious }: FilesWanted,
  caller: Caller,
): Promise<ScannedFiles> {
  findServer(app, server, caller);
  const storedFiles = (await app.store.documents.get(key(server))) as StoredFiles | undefined;
  if (!storedFiles) throw new Fault("no_such_record", { what: "list of scanned files of server", id: server });
  const report = app.store.scans.last(server)?.report;
  const found = byFile(report?.job_id === storedFiles.job_id ? report.findings : []);
  const all = storedFiles.files
    .map((file) => ({ ...file, suspicious: found.has(file.path), findings: found.get(file.path) ?? [] }))
    .sort((a, b) => Number(b.suspicious) - Number(a.suspicious) || (a.path < b.path ? -1 : 1));
  const selected = suspicious ? all.filter((file) => file.suspicious) : all;
  return {
    job_id: storedFiles.job_id,
    source_path: storedFiles.dir,
    total_files: all.length,
    total_size_bytes: all.reduce((sum, { size }) => sum + size, 0),
    suspicious_count: all.filter((file) => file.suspicious).length,
    files: selected.slice(offset, offset + limit),
    offset,
    limit,
    has_more: offset + limit < selected.length,
  };
}

/** Groups findings by file. Locations are `path:line`; external scanners may report paths as `/src/path`. */
function byFile(findings: readonly ScanFinding[]): Map<string, ScanFinding[]> {
  const found = new Map<string, ScanFinding[]>();
  for (const finding of findings) {
    const path = finding.location.replace(/^(?:file:\/\/)?(?:\/src\/|\.\/)/, "").replace(/(?::\d+){1,2}$/, "");
    found.set(path, [...(found.get(path) ?? []), finding]);
  }
  return found;
}
