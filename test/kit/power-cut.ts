import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Files, hostFiles } from "#lib/sqlite/files.ts";

type Naming = { do: "create"; path: string; inode: number } | { do: "remove"; path: string; inode: number };
type Op =
  | Naming
  | { do: "write"; inode: number; at: number; bytes: Buffer }
  | { do: "truncate"; inode: number; size: number }
  /** Changes of the file before the operation number `before` are on the disk. */
  | { do: "sync"; inode: number; before: number }
  /** A failed sync: the system still returns these changes to readers but never writes them. */
  | { do: "lose"; inode: number; before: number }
  | { do: "syncFolder" }
  | { do: "note"; note: number };
type Change = Extract<Op, { do: "write" | "truncate" }>;

/** A disk that records all changes in one folder, to simulate what a power cut would leave. */
export interface RecordedDisk extends Files {
  readonly ops: readonly Op[];
  /** While true, every sync fails and its changes are lost. */
  broken: boolean;
  /** Marks a moment, such as an acknowledgement. */
  note(note: number): void;
  /**
   * Fills `into` with a possible state of the disk after a power cut before operation number `at`; returns the highest
   * mark.
   */
  cut(at: number, into: string, random: () => number): number;
}

const SECTOR = 512;

export function recordedDisk(folder: string): RecordedDisk {
  const ops: Op[] = [];
  const inodes = new Map<string, number>();
  const open = new Map<number, number | "folder">();
  let nextInode = 1;

  const on = (fd: number, act: (inode: number) => void) => {
    const inode = open.get(fd);
    if (typeof inode === "number") act(inode);
  };
  const attempt = (fd: number) => {
    if (!disk.broken) return;
    on(fd, (inode) => ops.push({ do: "lose", inode, before: ops.length }));
    throw Object.assign(new Error("EIO: told to fail, sync"), { code: "EIO", syscall: "fsync" });
  };
  const disk: RecordedDisk = {
    ...hostFiles,
    broken: false,
    ops,
    note: (note) => ops.push({ do: "note", note }),
    open(path, flags, mode) {
      const fd = hostFiles.open(path, flags, mode);
      if (path !== folder && !inodes.has(path)) {
        inodes.set(path, nextInode);
        ops.push({ do: "create", path, inode: nextInode++ });
      }
      open.set(fd, inodes.get(path) ?? "folder");
      return fd;
    },
    close(fd) {
      open.delete(fd);
      hostFiles.close(fd);
    },
    write(fd, from, offset, length, position) {
      const written = hostFiles.write(fd, from, offset, length, position);
      const bytes = Buffer.from(from.slice(offset, offset + written));
      on(fd, (inode) => ops.push({ do: "write", inode, at: position, bytes }));
      return written;
    },
    truncate(fd, size) {
      hostFiles.truncate(fd, size);
      on(fd, (inode) => ops.push({ do: "truncate", inode, size }));
    },
    sync(fd) {
      attempt(fd);
      hostFiles.sync(fd);
      if (open.get(fd) === "folder") ops.push({ do: "syncFolder" });
      on(fd, (inode) => ops.push({ do: "sync", inode, before: ops.length }));
    },
    async syncLater(fd) {
      const before = ops.length;
      attempt(fd);
      await hostFiles.syncLater(fd);
      on(fd, (inode) => ops.push({ do: "sync", inode, before }));
    },
    remove(path) {
      hostFiles.remove(path);
      ops.push({ do: "remove", path, inode: inodes.get(path)! });
      inodes.delete(path);
    },
    cut(at, into, random) {
      const { files, note } = survivors(ops.slice(0, at), random);
      for (const [path, bytes] of files) writeFileSync(join(into, basename(path)), bytes);
      return note;
    },
  };
  return disk;
}

/** Keeps synced operations; any other is randomly done, omitted, or partially written at a sector boundary. */
function survivors(ops: readonly Op[], random: () => number) {
  const contents = new Map<number, Content>();
  const pending = new Map<number, { index: number; change: Change }[]>();
  const names = new Map<string, number>();
  let pendingNames: Naming[] = [];
  let note = 0;
  const content = (inode: number) => {
    if (!contents.has(inode)) contents.set(inode, new Content());
    return contents.get(inode)!;
  };
  const rename = (op: Naming) => (op.do === "create" ? names.set(op.path, op.inode) : names.delete(op.path));

  for (const [index, op] of ops.entries()) {
    if (op.do === "note") note = op.note;
    else if (op.do === "create" || op.do === "remove") pendingNames.push(op);
    else if (op.do === "syncFolder") {
      for (const name of pendingNames) rename(name);
      pendingNames = [];
    } else if (op.do === "sync" || op.do === "lose") {
      const list = pending.get(op.inode) ?? [];
      for (const { index: i, change } of list) if (i < op.before && op.do === "sync") content(op.inode).apply(change);
      pending.set(
        op.inode,
        list.filter(({ index: i }) => i >= op.before),
      );
    } else {
      const list = pending.get(op.inode) ?? [];
      list.push({ index, change: op });
      pending.set(op.inode, list);
    }
  }
  const mood = random();
  for (const [inode, list] of pending)
    for (const { change } of list) {
      const luck = mood < 0.2 ? 0 : mood < 0.3 ? 1 : random();
      if (luck > 0.6) content(inode).apply(change);
      else if (luck > 0.45) content(inode).tear(change, random);
    }
  for (const name of pendingNames) if (mood >= 0.2 && (mood < 0.3 || random() < 0.5)) rename(name);
  return { files: [...names].map(([path, inode]) => [path, content(inode).bytes()] as const), note };
}

class Content {
  #room = Buffer.alloc(1 << 16);
  #size = 0;

  apply(change: Change) {
    if (change.do === "truncate") return this.#resize(change.size);
    this.#resize(Math.max(this.#size, change.at + change.bytes.length));
    change.bytes.copy(this.#room, change.at);
  }

  tear(change: Change, random: () => number) {
    if (change.do === "truncate") return;
    this.#resize(Math.max(this.#size, change.at + change.bytes.length));
    for (let from = 0; from < change.bytes.length; from += SECTOR)
      if (random() < 0.5) change.bytes.copy(this.#room, change.at + from, from, from + SECTOR);
  }

  bytes(): Buffer {
    return this.#room.subarray(0, this.#size);
  }

  #resize(size: number) {
    if (size < this.#size) this.#room.fill(0, size, this.#size);
    if (size > this.#room.length) this.#room = Buffer.concat([this.#room], Math.max(size, this.#room.length * 2));
    this.#size = size;
  }
}
