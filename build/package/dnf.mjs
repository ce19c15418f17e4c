// @ts-check
/**
 * Writes the metadata of a dnf repository with createrepo_c, if it is installed. The repository is a static folder with
 * the RPM packages of one release.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { epoch } from "../release.mjs";

export const hasCreaterepo = () => spawnSync("createrepo_c", ["--version"], { stdio: "ignore" }).status === 0;

/**
 * Adds `repodata` to a folder of packages; the same packages give the same bytes. Whoever publishes signs it:
 * `gpg --detach-sign --armor repodata/repomd.xml`.
 * @param {string} folder
 */
export function dnfRepository(folder) {
  const revision = ["--revision", String(epoch()), "--set-timestamp-to-revision"];
  const formats = ["--no-database", "--simple-md-filenames", "--general-compress-type", "gz"];
  execFileSync("createrepo_c", ["--quiet", ...revision, ...formats, folder]);
}
