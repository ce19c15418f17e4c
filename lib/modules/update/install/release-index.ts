import type { KeyObject } from "node:crypto";
import { fileURLToPath } from "node:url";
import { createEgress } from "../../../core/base/egress/create-egress.ts";
import { readBoundedFile } from "../../../core/base/file.ts";
import { type Release, readReleases } from "../releases.ts";
import { compareVersions, parseVersion } from "../version.ts";
import { releaseKey } from "./release-sums.ts";

declare const __RELEASE_KEY__: string;

/** How long a download may take (ms). */
const DOWNLOAD_TIMEOUT_MS = 600_000;

/** What the configuration says about releases. */
export interface ReleaseSettings {
  /** URL or file of the release index. */
  source: string;
  /** The key that signs releases; absent: the key of the build. */
  publicKey: string | undefined;
  channel: string;
  /** Internal hosts and networks that may be contacted (`outbound_allow`). */
  allowed: readonly string[];
  configPath: string;
}

/** The published releases, and how their files are fetched and verified. */
interface ReleaseIndex {
  /**
   * The release to install; undefined if there is none newer than `version`.
   *
   * @param to the requested version
   * @throws Error if the requested version is not published
   */
  choose(wish: { version: string; to: string | undefined }): Release | undefined;
  /** The key that signs releases. @throws Error if neither the build nor the configuration has one */
  key(): KeyObject;
  download(url: string, maxBytes: number): Promise<Uint8Array>;
}

/**
 * Reads the release index without a running proxy.
 *
 * @throws Fault fetch_failed, address_refused; Error for an index that cannot be read
 */
export async function releaseIndex(
  { source, publicKey, channel, allowed, configPath }: ReleaseSettings,
  { env, signal }: { env: Readonly<Record<string, string | undefined>>; signal: AbortSignal },
): Promise<ReleaseIndex> {
  const egress = createEgress({ agent: "proxy-upgrade", allowed: () => allowed, env });
  const releases = await readReleases(source, { configPath, egress, signal });
  const isRemote = /^https?:/i.test(source);
  return {
    choose: ({ version, to }) => chooseRelease(releases, { version, to, channel }),
    key() {
      const builtIn = typeof __RELEASE_KEY__ === "string" ? __RELEASE_KEY__ : "";
      const key = publicKey ?? builtIn;
      if (key === "")
        throw new Error(
          "this build has no key to verify releases; set the publisher's key with: proxy config set update_check.public_key <key>",
        );
      return releaseKey(key);
    },
    async download(url, maxBytes) {
      // An index from a server must not name files of this machine.
      if (!isRemote && url.startsWith("file:")) return (await readBoundedFile(fileURLToPath(url), maxBytes)).bytes;
      const allow = isRemote ? [new URL(source).host] : [];
      const options = { signal, maxBytes, allow, binary: true, timeoutMs: DOWNLOAD_TIMEOUT_MS } as const;
      const { status, bytes } = await egress.fetch(url, options);
      if (status < 200 || status > 299 || !bytes) throw new Error(`${url} was answered with status ${status}`);
      return bytes;
    },
  };
}

/** Chooses a release by version and channel. @throws Error if the requested version is not published */
function chooseRelease(
  releases: readonly Release[],
  { version, to, channel }: { version: string; to: string | undefined; channel: string },
): Release | undefined {
  if (to !== undefined) {
    const wanted = to.replace(/^v/, "");
    const found = releases.find(({ tag }) => tag === wanted);
    if (!found) throw new Error(`version ${wanted} is not in the release index`);
    return found.tag === version ? undefined : found;
  }
  const own = parseVersion(version);
  const isRc = channel === "rc" || (own !== undefined && own.pre.length > 0);
  const usable = releases.filter(({ prerelease }) => isRc || !prerelease);
  const [newest] = [...usable].sort((a, b) => compareVersions(b.version, a.version));
  if (!newest) return undefined;
  return own === undefined || compareVersions(newest.version, own) > 0 ? newest : undefined;
}
