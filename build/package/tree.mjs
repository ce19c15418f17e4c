// @ts-check
/**
 * The files that every package installs below its prefix: the program, its manual page and completions, and the file
 * that names the install channel.
 */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { readCommands } from "../commands.mjs";
import { manPage } from "../man.mjs";
import { epoch, version } from "../release.mjs";
import { notices } from "./notices.mjs";

/** @typedef {import("../tar.mjs").Entry} Entry */

/**
 * @typedef {object} Pages texts that are the same for all targets
 * @property {string} man
 * @property {import("../commands.mjs").Completions} completions
 */

/** @returns {Promise<Pages>} */
export async function pages() {
  const tree = await readCommands();
  const date = new Date(epoch() * 1000).toISOString().slice(0, 10);
  return { man: manPage(tree, { version, date }), completions: tree.completions };
}

/** Paths that differ between distributions. */
export const PLACES = {
  deb: { zsh: "share/zsh/vendor-completions", licences: "share/doc/proxy" },
  rpm: { zsh: "share/zsh/site-functions", licences: "share/licenses/proxy" },
  plain: { zsh: "share/zsh/site-functions", licences: "share/doc/proxy" },
};

/**
 * @param {object} wish
 * @param {string} wish.target
 * @param {Buffer} wish.executable
 * @param {string} wish.channel the install channel (spec 000 §2.7)
 * @param {Pages} wish.pages
 * @param {{ zsh: string, licences: string }} [wish.places]
 * @returns {Promise<Entry[]>} paths below the prefix, such as `bin/proxy`
 */
export async function installed({ target, executable, channel, pages, places = PLACES.plain }) {
  /** @param {string} path @param {string | Buffer} data @param {number} [mode] @returns {Entry} */
  const file = (path, data, mode = 0o644) => ({ path, mode, data: Buffer.from(data) });
  return [
    file(`bin/proxy${target.startsWith("win") ? ".exe" : ""}`, executable, 0o755),
    file("share/proxy/install-channel", `${channel}\n`),
    file("share/man/man1/proxy.1.gz", gzipSync(pages.man, { level: 9 })),
    file("share/bash-completion/completions/proxy", pages.completions.bash),
    file(`${places.zsh}/_proxy`, pages.completions.zsh),
    file("share/fish/vendor_completions.d/proxy.fish", pages.completions.fish),
    file(`${places.licences}/LICENSE`, readFileSync(new URL("../../LICENSE", import.meta.url))),
    file(`${places.licences}/THIRD-PARTY-NOTICES.gz`, gzipSync(await notices(target), { level: 9 })),
  ];
}
