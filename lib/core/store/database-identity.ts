import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "../base/fault.ts";
import { createFileDurably, systemErrorCode } from "../base/file.ts";
import { parseJson } from "../base/parse-json.ts";
import type { Logger } from "../log/logger.ts";
import type { DatabaseConnection } from "./database-connection.ts";

/** Says whether the database is the one that this data directory had before. */
export interface DatabaseIdentity {
  /** `lost`: the marker names another database, whose approvals, blocks and tokens are missing now. */
  readonly state: "complete" | "lost";
  /** Path of the marker file. */
  readonly marker: string;
}

/** Name of the database in the data directory. */
export const DATABASE_FILE = "proxy.db";
/**
 * The marker file, beside the database. Its name does not begin like the names of the database's files, which people
 * move and delete together.
 */
export const DATABASE_MARKER_FILE = "database-id.json";

/**
 * Compares the database with the marker file beside it. The marker is written once, when the database with its id is on
 * the disk. A data directory without a marker is new, comes from a release without markers, or its operator deleted the
 * marker to start with an empty database.
 */
export async function checkEvidence(
  dir: string,
  connection: DatabaseConnection,
  log: Logger,
): Promise<DatabaseIdentity> {
  const marker = join(dir, DATABASE_MARKER_FILE);
  const id = databaseId(connection);
  const marked = await markedId(marker);
  if (marked !== undefined) return { state: marked === id ? "complete" : "lost", marker };
  await connection.sync();
  try {
    await createFileDurably(marker, `${JSON.stringify({ database: id })}\n`);
  } catch (error) {
    log.warn(`${marker} cannot be written, so the proxy could not detect a loss of the database: ${reasonOf(error)}`);
  }
  return { state: "complete", marker };
}

export const EVIDENCE_LOST =
  "The database of this data directory is missing or was replaced: its approvals, blocks, pins, agent tokens and activity log are lost. Every tool stays pending until a person approves it, whatever the trust settings, and agent tokens must be created again.";

/** Tells an operator which records are missing and how to restore them; undefined if none are missing. */
export function evidenceProblem(evidence: DatabaseIdentity): string | undefined {
  return evidence.state === "lost" ? `${EVIDENCE_LOST} ${evidenceRemedy(evidence)}` : undefined;
}

/** Tells what the operator can do about missing records. */
export function evidenceRemedy({ marker }: DatabaseIdentity): string {
  return `Stop the proxy and restore a backup of ${DATABASE_FILE}; or, to continue without it, delete ${marker} and restart.`;
}

/** Returns the id of the database; a new database gets one. */
function databaseId(connection: DatabaseConnection): string {
  const row = connection.read(() => connection.prepare("select value from meta where key = 'database.id'").get());
  if (row) return JSON.parse(String(row.value));
  const id = randomBytes(16).toString("hex");
  connection.write(() => {
    connection.prepare("insert into meta (key, value) values ('database.id', ?)").run(JSON.stringify(id));
  });
  return id;
}

/**
 * @returns the id in the marker; undefined if there is no marker; a text that is not an id if the marker cannot be read
 */
async function markedId(marker: string): Promise<string | undefined> {
  try {
    const content = parseJson(await readFile(marker, "utf8"));
    const id = typeof content === "object" && content !== null && "database" in content ? content.database : "";
    return typeof id === "string" ? id : "";
  } catch (error) {
    return systemErrorCode(error) === "ENOENT" ? undefined : "";
  }
}
