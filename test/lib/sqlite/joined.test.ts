import assert from "node:assert/strict";
import { test } from "node:test";
import { type Files, hostFiles } from "#lib/sqlite/files.ts";
import { joinedWrites } from "#lib/sqlite/joined.ts";

/** Files that only note what is asked of them; writes take `most` bytes at a time. */
function noted(most = Number.POSITIVE_INFINITY) {
  const calls: string[] = [];
  let failing = false;
  const files: Files = {
    ...hostFiles,
    write(fd, from, offset, length, position) {
      if (failing) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
      const size = Math.min(length, most);
      calls.push(`write ${fd} ${Buffer.from(from.slice(offset, offset + size))} at ${position}`);
      return size;
    },
    sync: (fd) => void calls.push(`sync ${fd}`),
    close: (fd) => void calls.push(`close ${fd}`),
  };
  return {
    files: joinedWrites(files),
    calls,
    fail: (on: boolean) => {
      failing = on;
    },
  };
}

const put = (files: Files, fd: number, text: string, at: number) =>
  files.write(fd, Buffer.from(text), 0, text.length, at);

test("writes that follow each other on one file are one", () => {
  const { files, calls } = noted();
  put(files, 3, "ab", 0);
  put(files, 3, "cd", 2);
  assert.deepEqual(calls, []);

  files.sync(3);

  assert.deepEqual(calls, ["write 3 abcd at 0", "sync 3"]);
});

test("another place or another file comes after what was held back", () => {
  const { files, calls } = noted();
  put(files, 3, "ab", 0);
  put(files, 3, "ef", 4);
  put(files, 4, "gh", 6);
  files.flush();
  files.flush();

  assert.deepEqual(calls, ["write 3 ab at 0", "write 3 ef at 4", "write 4 gh at 6"]);
});

test("a disk that takes less than it was given is given the rest", () => {
  const { files, calls } = noted(3);
  put(files, 3, "abcde", 10);
  files.flush();

  assert.deepEqual(calls, ["write 3 abc at 10", "write 3 de at 13"]);
});

test("what is larger than the room goes straight through, in order", () => {
  const { files, calls } = noted();
  put(files, 3, "a", 0);
  const size = files.write(3, Buffer.alloc(300_000, "x"), 0, 300_000, 1);

  assert.equal(size, 300_000);
  assert.equal(calls.length, 2);
  assert.equal(calls[0], "write 3 a at 0");
});

test("after a late failure nothing is written any more, and files are still closed", () => {
  const { files, calls, fail } = noted();
  put(files, 3, "ab", 0);
  fail(true);
  assert.throws(() => files.flush(), { code: "ENOSPC" });
  fail(false);

  assert.throws(() => put(files, 3, "cd", 2), { code: "ENOSPC" });
  assert.throws(() => files.sync(3), { code: "ENOSPC" });
  assert.throws(() => files.close(3), { code: "ENOSPC" });
  assert.deepEqual(calls, ["close 3"]);
});
