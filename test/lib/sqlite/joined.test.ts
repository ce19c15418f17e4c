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

const PAGE = 8;
const GAP = 2;

/** A file of pages with a gap in front of each; notes the length of each read. */
function pages(count: number) {
  const bytes = Buffer.from(Array.from({ length: count * (PAGE + GAP) }, (_, i) => i % 251));
  const lengths: number[] = [];
  let most = Number.POSITIVE_INFINITY;
  const files = joinedWrites({
    ...hostFiles,
    read(_, into, offset, length, position) {
      lengths.push(length);
      if (length > most) throw Object.assign(new Error("EIO"), { code: "EIO" });
      const part = bytes.subarray(position, position + length);
      into.set(part, offset);
      return part.length;
    },
    write(_, from, offset, length, position) {
      bytes.set(from.subarray(offset, offset + length), position);
      return length;
    },
  });
  const page = (n: number) => {
    const into = Buffer.alloc(PAGE + 1);
    const position = n * (PAGE + GAP) + GAP;
    const size = files.read(3, into, 1, PAGE, position);
    assert.deepEqual(into.subarray(1, 1 + size), bytes.subarray(position, position + size));
    return size;
  };
  return {
    files,
    lengths,
    page,
    refuse: (longer: number) => {
      most = longer;
    },
  };
}

test("pages that follow each other are read together, up to the end of the file", () => {
  const { lengths, page } = pages(100);

  for (let n = 0; n < 100; n++) assert.equal(page(n), PAGE);
  assert.equal(page(100), 0);

  assert.equal(lengths.filter((length) => length > PAGE).length, 2);
  assert.ok(lengths.length <= 5, `${lengths}`);
});

test("what was read together is not used after a write, at another place or in the next operation", () => {
  const { files, lengths, page } = pages(100);
  const readSome = () => {
    for (let n = 0; n < 10; n++) page(n);
    return lengths.splice(0).length;
  };
  const first = readSome();

  put(files, 3, "changed!", 11 * (PAGE + GAP));
  page(10);
  page(11);
  assert.equal(lengths.splice(0).length, 2);

  readSome();
  page(50);
  assert.equal(lengths.splice(0).length, 1);

  readSome();
  files.flush();
  page(10);
  assert.equal(lengths.splice(0).length, 1);
  assert.equal(readSome(), first, "it begins again in front of where it was");
});

test("if more than was asked for cannot be read, the pages are read one by one", () => {
  const { page, refuse } = pages(20);
  refuse(PAGE);

  for (let n = 0; n < 20; n++) assert.equal(page(n), PAGE);
});
