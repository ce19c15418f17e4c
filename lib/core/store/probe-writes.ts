import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { join } from "node:path";
import type { Files } from "../../sqlite/files.ts";

/**
 * Writes a file durably and removes it, because SQLite opens a database in a read-only directory without an error and
 * fails only at the first write.
 */
export function probeWrites(dir: string, files: Files) {
  const path = join(dir, `write-probe-${randomBytes(4).toString("hex")}`);
  const fd = files.open(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600);
  try {
    files.write(fd, Buffer.from("ok"), 0, 2, 0);
    files.sync(fd);
  } finally {
    files.close(fd);
    files.remove(path);
  }
}
