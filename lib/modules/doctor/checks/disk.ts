import { stat, statfs } from "node:fs/promises";
import type { App } from "../../../core/app.ts";
import { shellWord } from "../../../core/base/shell-word.ts";
import type { DoctorFinding } from "../../../core/schema/doctor-shapes.ts";
import { EVIDENCE_LOST, evidenceRemedy } from "../../../core/store/database-identity.ts";

/** Free space below which a warning or an error is reported (bytes). */
const LOW_SPACE_BYTES = 500 * 1024 * 1024;
const TOO_LITTLE = 50 * 1024 * 1024;

/** Checks that the data directory is writable, has free space, and is not readable by others. */
export async function disk(app: App): Promise<DoctorFinding[]> {
  const found: DoctorFinding[] = [];
  const damage = app.store.damage();
  const problem = app.store.problem();
  if (damage !== undefined)
    found.push({
      code: "database_damaged",
      severity: "error",
      title: "The database is damaged",
      detail: damage,
      remedy: {
        action:
          "Check which records can be read; then stop the proxy and copy them into a new database: proxy db recover",
        command: "proxy db check",
      },
    });
  // The database of a cluster is elsewhere, and the cluster's check reports it.
  else if (problem !== undefined && !app.store.sharedConfig)
    found.push({
      code: "store_failing",
      severity: "error",
      title: "The database cannot be written",
      detail: problem,
      remedy: { action: "Repair the disk or free disk space; the proxy tries again every second" },
    });
  return [...found, ...(await lostEvidence(app)), ...(await room(app.config.dataDir)), ...(await modes(app))];
}

/** Reported until the database is restored or its marker is deleted; both take effect at the next start. */
async function lostEvidence({ store }: App): Promise<DoctorFinding[]> {
  const { evidence } = store;
  if (evidence.state === "complete") return [];
  const acknowledged = (await stat(evidence.marker).catch(() => undefined)) === undefined;
  return [
    {
      code: "database_missing",
      severity: acknowledged ? "warning" : "error",
      title: "The database with earlier approvals, blocks and tokens is missing",
      detail: EVIDENCE_LOST,
      remedy: { action: acknowledged ? "Restart the proxy" : evidenceRemedy(evidence) },
    },
  ];
}

async function room(dir: string): Promise<DoctorFinding[]> {
  const { bavail, bsize } = await statfs(dir);
  return lowSpaceFindings(bavail * bsize, dir);
}

/** @param free bytes that an unprivileged user may still write */
export function lowSpaceFindings(free: number, dir: string): DoctorFinding[] {
  if (free >= LOW_SPACE_BYTES) return [];
  return [
    {
      code: "disk_almost_full",
      severity: free < TOO_LITTLE ? "error" : "warning",
      title: `${Math.floor(free / 1024 / 1024)} MB are free on the disk of ${dir}`,
      remedy: { action: "Free disk space" },
    },
  ];
}

async function modes({ config }: App): Promise<DoctorFinding[]> {
  if (process.platform === "win32") return [];
  const [folder, file] = await Promise.all(
    [stat(config.dataDir), stat(config.path)].map((s) => s.catch(() => undefined)),
  );
  const found: DoctorFinding[] = [];
  if (folder && folder.mode & 0o022)
    found.push(
      open("data_dir_open", `Other users can write to ${config.dataDir}`, `chmod 700 ${shellWord(config.dataDir)}`),
    );
  if (file && file.mode & 0o007)
    found.push(open("config_open", `All users can read ${config.path}`, `chmod 600 ${shellWord(config.path)}`));
  return found;
}

const open = (code: string, title: string, command: string): DoctorFinding => ({
  code,
  severity: "warning",
  title,
  remedy: { action: "Restrict access", command },
});
