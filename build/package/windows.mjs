// @ts-check
/** Generates the manifests of Windows package managers for the archive of one release. */
import { description, homepage, license, maintainer, version } from "../release.mjs";

/** Identifier in winget's repository, `Publisher.Package`; whoever publishes sets it. */
const wingetId = process.env.PROXY_WINGET_ID || "Proxy.Proxy";
const MANIFEST_VERSION = "1.10.0";

/**
 * The manifest of Scoop.
 * @param {string} url of the archive @param {string} sha256
 */
export function scoop(url, sha256) {
  const folder = `proxy-${version}-win-x64`;
  const manifest = {
    version,
    description,
    // Scoop requires one.
    homepage: homepage ?? new URL(".", url).href,
    license,
    architecture: { "64bit": { url, hash: sha256, extract_dir: folder } },
    bin: "bin\\proxy.exe",
  };
  return `${JSON.stringify(manifest, null, 4)}\n`;
}

/**
 * The three manifests of winget, by file name.
 * @param {string} url of the zip archive @param {string} sha256
 * @returns {Record<string, string>}
 */
export function winget(url, sha256) {
  const [, publisher = maintainer] = /^(.*?)\s*</.exec(maintainer) ?? [];
  /** @param {string} type @param {string[]} lines */
  const manifest = (type, lines) =>
    [
      `PackageIdentifier: ${wingetId}`,
      `PackageVersion: ${version}`,
      ...lines,
      `ManifestType: ${type}`,
      `ManifestVersion: ${MANIFEST_VERSION}`,
      "",
    ].join("\n");
  return {
    [`${wingetId}.yaml`]: manifest("version", ["DefaultLocale: en-US"]),
    [`${wingetId}.locale.en-US.yaml`]: manifest("defaultLocale", [
      "PackageLocale: en-US",
      `Publisher: ${JSON.stringify(publisher)}`,
      "PackageName: proxy",
      `License: ${license}`,
      `ShortDescription: ${JSON.stringify(description)}`,
      ...(homepage ? [`PackageUrl: ${homepage}`] : []),
    ]),
    [`${wingetId}.installer.yaml`]: manifest("installer", [
      "InstallerType: zip",
      "NestedInstallerType: portable",
      "NestedInstallerFiles:",
      `- RelativeFilePath: proxy-${version}-win-x64\\bin\\proxy.exe`,
      "  PortableCommandAlias: proxy",
      "Installers:",
      "- Architecture: x64",
      `  InstallerUrl: ${url}`,
      `  InstallerSha256: ${sha256.toUpperCase()}`,
    ]),
  };
}
