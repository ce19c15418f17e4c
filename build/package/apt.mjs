// @ts-check
/**
 * Builds the index files of an apt repository for the Debian packages of one release. The repository lies in a static
 * folder: `deb [signed-by=…] https://… stable main`.
 */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { epoch } from "../release.mjs";

/**
 * @typedef {object} Package
 * @property {string} name file name
 * @property {Buffer} bytes
 * @property {string} architecture
 * @property {string} control its control file
 */

const SUITE = "stable";
const COMPONENT = "main";

/**
 * The files below the repository's folder. Whoever publishes signs `dists/stable/Release`:
 * `gpg --clearsign -o InRelease Release`.
 * @param {Package[]} packages
 * @returns {{ path: string, bytes: Buffer }[]}
 */
export function aptRepository(packages) {
  const architectures = [...new Set(packages.map(({ architecture }) => architecture))].sort();
  const lists = architectures.flatMap((architecture) => {
    const own = packages.filter((one) => one.architecture === architecture);
    const text = Buffer.from(own.map(stanza).join("\n"));
    const path = `${COMPONENT}/binary-${architecture}/Packages`;
    return [
      { path, bytes: text },
      { path: `${path}.gz`, bytes: gzipSync(text, { level: 9 }) },
    ];
  });
  const release = [
    "Origin: proxy",
    "Label: proxy",
    `Suite: ${SUITE}`,
    `Codename: ${SUITE}`,
    `Date: ${new Date(epoch() * 1000).toUTCString().replace("GMT", "UTC")}`,
    `Architectures: ${architectures.join(" ")}`,
    `Components: ${COMPONENT}`,
    "SHA256:",
    ...lists.map(({ path, bytes }) => ` ${sha256(bytes)} ${bytes.length} ${path}`),
    "",
  ].join("\n");
  return [
    ...packages.map(({ name, bytes }) => ({ path: pool(name), bytes })),
    ...lists.map(({ path, bytes }) => ({ path: `dists/${SUITE}/${path}`, bytes })),
    { path: `dists/${SUITE}/Release`, bytes: Buffer.from(release) },
  ];
}

/** @param {Package} one */
const stanza = ({ name, bytes, control }) =>
  `${control.trimEnd()}\nFilename: ${pool(name)}\nSize: ${bytes.length}\nSHA256: ${sha256(bytes)}\n`;

const pool = (/** @type {string} */ name) => `pool/${COMPONENT}/p/proxy/${name}`;
const sha256 = (/** @type {Buffer} */ bytes) => createHash("sha256").update(bytes).digest("hex");
