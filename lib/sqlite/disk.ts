import { constants } from "node:fs";
import { errnoOf } from "./errno.ts";
import type { FileFacts, Files } from "./files.ts";
import type { Memory } from "./memory.ts";
import type { Mount, Mounts } from "./mounts.ts";

/** A function that the engine imports. 64-bit arguments arrive as bigint; `Number()` accepts both. */
export type Call = (...args: number[]) => number;

interface Handle {
  readonly fd: number;
  readonly path: string;
  readonly mount: Mount;
  readonly isFolder: boolean;
  position: number;
}

type Transfer = (files: Files, fd: number, offset: number, length: number, position: number) => number;

/** Larger than every descriptor of the engine's in-memory file system. */
const FIRST_FD = 1 << 20;
const EIO = errnoOf(undefined);
const ACCESS = [constants.O_RDONLY, constants.O_WRONLY, constants.O_RDWR];
const F_GETLK = 12;
const F_UNLCK = 2;

/**
 * Implements the engine's file system calls with files of the host, for mounted folders: real pages, journal and fsync.
 *
 * @returns by import name, a function that wraps the engine's own call, which is used for paths outside of a mount
 */
export function diskCalls(mounts: Mounts, memory: Memory): Record<string, (own: Call) => Call> {
  const handles = new Map<number, Handle>();
  const inodes = new Map<string, number>();
  let nextFd = FIRST_FD;
  let nextInode = 1;

  const failureCode = (mount: Mount, sign: 1 | -1, error: unknown): number => {
    const failure = error as NodeJS.ErrnoException;
    if (failure.code !== "ENOENT") mount.failure = failure;
    return sign * errnoOf(failure);
  };
  // `sign`: a system call returns a negative number on failure, a WASI call a positive one.
  const guarded = (mount: Mount, sign: 1 | -1, act: () => number): number => {
    try {
      return act();
    } catch (error) {
      return failureCode(mount, sign, error);
    }
  };
  const onHandle =
    (sign: 1 | -1, act: (handle: Handle, a: number, b: number, c: number) => number) =>
    (own: Call): Call =>
    (...args) => {
      const handle = handles.get(args[0]!);
      if (!handle) return own(...args);
      try {
        return act(handle, args[1]!, args[2]!, args[3]!);
      } catch (error) {
        return failureCode(handle.mount, sign, error);
      }
    };
  const onPath =
    (index: number, act: (hostPath: string, mount: Mount, args: number[]) => number) =>
    (own: Call): Call =>
    (...args) => {
      const found = mounts.find(memory.text(args[index]!));
      return found ? guarded(found.mount, -1, () => act(found.hostPath, found.mount, args)) : own(...args);
    };

  const putFacts = (at: number, facts: FileFacts, path: string) => {
    const { view, bytes } = memory;
    if (!inodes.has(path)) inodes.set(path, nextInode++);
    bytes.fill(0, at, at + 96);
    view.setUint32(at, 77, true);
    view.setUint32(at + 4, facts.mode, true);
    view.setUint32(at + 8, 1, true);
    view.setBigInt64(at + 24, BigInt(facts.size), true);
    view.setInt32(at + 32, 4096, true);
    view.setBigInt64(at + 88, BigInt(inodes.get(path)!), true);
    return 0;
  };
  const stat = (pathIndex: number, outIndex: number) =>
    onPath(pathIndex, (path, mount, args) => putFacts(args[outIndex]!, mount.files.factsOf(path), path));

  /**
   * Transfers the buffers in `list` one after the other; a transfer that is shorter than its buffer is the last one.
   */
  const transfer = (move: Transfer) =>
    onHandle(1, (handle, list, count, out) => {
      let total = 0;
      for (let i = 0; i < count!; i++) {
        const at = memory.view.getUint32(list! + 8 * i, true);
        const length = memory.view.getUint32(list! + 8 * i + 4, true);
        let moved = 0;
        while (moved < length) {
          const n = move(handle.mount.files, handle.fd, at + moved, length - moved, handle.position);
          if (n === 0) break;
          moved += n;
          handle.position += n;
        }
        total += moved;
        if (moved < length) break;
      }
      memory.view.setUint32(out!, total, true);
      return 0;
    });

  const nothing = () => 0;
  const refuse = () => -errnoOf({ code: "EPERM" });
  return {
    __syscall_openat: onPath(1, (path, mount, args) => {
      const isFolder = path === mount.dir;
      // Windows cannot open a folder, and SQLite opens one only to sync it.
      const fd =
        isFolder && process.platform === "win32"
          ? -1
          : mount.files.open(path, openFlags(args[2]!), isFolder ? 0 : 0o600);
      handles.set(nextFd, { fd, path, mount, isFolder, position: 0 });
      return nextFd++;
    }),
    fd_close: (own) => (fd) => {
      const handle = handles.get(fd!);
      if (!handle) return own(fd!);
      handles.delete(fd!);
      if (handle.fd < 0) return 0;
      return guarded(handle.mount, 1, () => {
        handle.mount.files.close(handle.fd);
        return 0;
      });
    },
    fd_seek: onHandle(1, (handle, offset, whence, out) => {
      const from = whence === 1 ? handle.position : whence === 2 ? handle.mount.files.facts(handle.fd).size : 0;
      handle.position = from + Number(offset);
      memory.view.setBigInt64(out!, BigInt(handle.position), true);
      return 0;
    }),
    fd_read: transfer((files, fd, offset, length, position) => files.read(fd, memory.bytes, offset, length, position)),
    fd_write: transfer((files, fd, offset, length, position) =>
      files.write(fd, memory.bytes, offset, length, position),
    ),
    fd_sync: onHandle(1, (handle) => {
      if (handle.fd < 0) return 0;
      // If the journal was deleted, a sync must fail: writes that are only in such a journal must not be acknowledged.
      if (!handle.isFolder && handle.mount.files.facts(handle.fd).nlink === 0) return EIO;
      handle.mount.files.sync(handle.fd);
      return 0;
    }),
    __syscall_ftruncate64: onHandle(-1, (handle, size) => {
      handle.mount.files.truncate(handle.fd, Number(size));
      return 0;
    }),
    __syscall_fstat64: onHandle(-1, (handle, out) => putFacts(out!, handle.mount.files.facts(handle.fd), handle.path)),
    __syscall_stat64: stat(0, 1),
    __syscall_lstat64: stat(0, 1),
    __syscall_newfstatat: stat(1, 2),
    __syscall_faccessat: onPath(1, (path, mount, args) => {
      mount.files.access(path, args[2]!);
      return 0;
    }),
    __syscall_unlinkat: onPath(1, (path, mount) => {
      if (mount.keepsFiles) return refuse();
      mount.files.remove(path);
      inodes.delete(path);
      return 0;
    }),
    __syscall_readlinkat: onPath(1, () => -errnoOf({ code: "EINVAL" })),
    // The engine does not use locks of the operating system: every lock is granted, because the lock of the data
    // directory keeps other processes out.
    __syscall_fcntl64: onHandle(-1, (_, command, args) => {
      if (command === F_GETLK) memory.view.setInt16(memory.view.getInt32(args!, true), F_UNLCK, true);
      return 0;
    }),
    __syscall_fchmod: onHandle(-1, nothing),
    __syscall_fchown32: onHandle(-1, nothing),
    __syscall_chmod: onPath(0, nothing),
    __syscall_utimensat: onPath(1, nothing),
    __syscall_mkdirat: onPath(1, refuse),
    __syscall_rmdir: onPath(0, refuse),
  };
}

/** Converts flags from the numbers of the engine's C library to those of the host. */
function openFlags(flags: number): number {
  let out = ACCESS[flags & 3]!;
  if (flags & 64) out |= constants.O_CREAT;
  if (flags & 128) out |= constants.O_EXCL;
  if (flags & 512) out |= constants.O_TRUNC;
  return out;
}
