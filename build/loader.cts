// What the executable starts: about 1 KB. Answers --version itself, runs the small program that completes names for a
// shell, else runs the program from an embedded asset with a warm V8 code cache; a cache that V8 rejects only costs time.
declare const __VERSION__: string;

if (process.argv.length === 3 && process.argv[2] === "--version") process.stdout.write(`${__VERSION__}\n`);
else if (process.argv[2] === "__complete") {
  const source = Buffer.from(require("node:sea").getRawAsset("complete.cjs")).latin1Slice();
  new (require("node:module"))("complete.cjs")._compile(source, process.execPath);
} else {
  const sea = require("node:sea");
  const vm = require("node:vm");
  const { createRequire } = require("node:module");
  // The bundle is pure ASCII, so this gives a one-byte string: half the heap and a faster scan. A TextDecoder, as
  // getAsset() has it, takes 10 ms more.
  const source: string = Buffer.from(sea.getRawAsset("proxy.cjs")).latin1Slice();
  let cachedData: Buffer | undefined;
  try {
    cachedData = Buffer.from(sea.getRawAsset("proxy.cache"));
  } catch {
    // Cross-built without a cache.
  }
  const script = new vm.Script(source, {
    filename: "proxy.cjs",
    cachedData,
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (process.env.PROXY_CHECK_CODE_CACHE)
    process.stderr.write(
      `code cache: ${cachedData ? (script.cachedDataRejected ? "rejected" : "accepted") : "none"}\n`,
    );
  const module = { exports: {} };
  const { dirname } = require("node:path");
  script.runInThisContext()(
    createRequire(process.execPath),
    module,
    module.exports,
    process.execPath,
    dirname(process.execPath),
  );
}
