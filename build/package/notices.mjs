// @ts-check
/** Collects the licences of everything in the executable of one target. */
import { readFileSync } from "node:fs";
import { fetchFile } from "../fetch.mjs";
import { TARGETS } from "../targets.mjs";
import { bundled, licenceTexts } from "./bundled.mjs";

const LINE = "=".repeat(78);

/** @param {string} name of the target @returns {Promise<string>} */
export async function notices(name) {
  const { node, generator, keyring } = TARGETS[name];
  return listed([
    { name: `Node.js (npm: ${node.name})`, version: node.version, license: "MIT and others", text: licence(generator) },
    { ...keyring, license: "MIT", text: "" },
    ...(await packages()),
  ]);
}

/** The licences of everything in the bundle, which runs under any Node. @returns {Promise<string>} */
export const portableNotices = async () => listed(await packages());

const packages = async () => (await bundled()).map((one) => ({ ...one, text: licenceTexts(one) }));

/** @param {{ name: string, version: string, license: string, text: string }[]} parts */
function listed(parts) {
  const blocks = parts.map((p) => `${LINE}\n${p.name} ${p.version}\nLicence: ${p.license}\n\n${p.text}\n`);
  return ["This program contains the following works of others.", "", ...blocks].join("\n");
}

/**
 * The licence of the same Node version; not every platform's package contains it. @param {import("../targets.mjs").Pin}
 * pin
 */
function licence(pin) {
  return readFileSync(fetchFile({ ...pin, file: "LICENSE" }), "utf8").trim();
}
