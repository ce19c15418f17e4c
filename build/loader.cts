// What the executable starts: about 2 KB. Answers --version itself, runs the small program that completes names for a
// shell, else runs the program from an embedded file with a warm V8 code cache; a cache that V8 rejects only costs time.
declare const __VERSION__: string;
/** Position and size of each file in the payload (bytes), which contains all embedded files. */
declare const __FILES__: Readonly<Record<string, readonly [at: number, bytes: number]>>;
/** The first bytes of the payload. They show whether the position is right. */
declare const __PAYLOAD_ID__: string;
/** Position of the payload in the executable file (bytes). build/binary.mjs writes it into the finished executable. */
declare const __PAYLOAD_AT__: string;

/** Returns an embedded file; throws for an unknown name. lib/core/base/asset.ts calls it too. */
type ReadFile = (name: string) => Buffer;

if (process.argv.length === 3 && process.argv[2] === "--version") process.stdout.write(`${__VERSION__}\n`);
else {
  const readFile = fileReader();
  if (process.argv[2] === "__complete")
    new (require("node:module"))("complete.cjs")._compile(readFile("complete.cjs").latin1Slice(), process.execPath);
  else runProgram(readFile);
}

/**
 * Linux reads files from the executable: memory that is mapped from a file stays resident once it was used, and V8 keeps
 * neither the bytes of the program nor its code cache. Elsewhere, and in an executable that was changed after it was
 * made, a file is a view of mapped memory.
 */
function fileReader(): ReadFile {
  const fs = require("node:fs");
  const payloadAt = Number(__PAYLOAD_AT__);
  let mapped: ArrayBuffer | undefined;
  const read = (at: number, bytes: number) => {
    const fd = fs.openSync("/proc/self/exe", "r");
    try {
      const buffer = Buffer.allocUnsafeSlow(bytes);
      return fs.readSync(fd, buffer, 0, bytes, payloadAt + at) === bytes ? buffer : undefined;
    } finally {
      fs.closeSync(fd);
    }
  };
  const readsFile = () => {
    try {
      return process.platform === "linux" && read(0, __PAYLOAD_ID__.length)?.latin1Slice() === __PAYLOAD_ID__;
    } catch {
      return false;
    }
  };
  const isReading = readsFile();
  return (name) => {
    const place = Object.hasOwn(__FILES__, name) ? __FILES__[name] : undefined;
    if (!place) throw new Error(`nothing is embedded as ${name}`);
    const file = isReading ? read(...place) : undefined;
    if (file) return file;
    mapped ??= require("node:sea").getRawAsset("payload") as ArrayBuffer;
    return Buffer.from(mapped, ...place);
  };
}

function runProgram(readFile: ReadFile): void {
  const vm = require("node:vm");
  const { createRequire } = require("node:module");
  const { dirname } = require("node:path");
  Object.defineProperty(globalThis, Symbol.for("proxy.readEmbeddedFile"), { value: readFile });
  let cachedData: Buffer | undefined;
  try {
    cachedData = readFile("proxy.cache");
  } catch {
    // Cross-built without a cache.
  }
  // The bundle is pure ASCII, so this gives a one-byte string: half the heap and a faster scan. A TextDecoder, as
  // getAsset() has it, takes 10 ms more.
  const script = new vm.Script(readFile("proxy.cjs").latin1Slice(), {
    filename: "proxy.cjs",
    cachedData,
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (process.env.PROXY_CHECK_CODE_CACHE)
    process.stderr.write(
      `code cache: ${cachedData ? (script.cachedDataRejected ? "rejected" : "accepted") : "none"}\n`,
    );
  const module = { exports: {} };
  script.runInThisContext()(
    createRequire(process.execPath),
    module,
    module.exports,
    process.execPath,
    dirname(process.execPath),
  );
}
