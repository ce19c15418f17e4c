import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Egress } from "../../core/base/egress/egress.ts";
import { readBoundedFile } from "../../core/base/file.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import { parseVersion, type Version } from "./version.ts";

/** One published release. */
export interface Release {
  tag: string;
  version: Version;
  prerelease: boolean;
  /** URL of its page; http or https. */
  url?: string;
  publishedAt?: number;
  /** Its files by name. */
  assets: readonly { name: string; url: string }[];
}

/** Largest list that is read (bytes). */
const MAX_BYTES = 8 * 1024 * 1024;
/** Timeout of the request (ms). */
const TIMEOUT_MS = 10_000;

/**
 * Reads the releases of a source, without drafts and other tags: a JSON array in the format of GitHub's releases API.
 *
 * @param source http(s) or file URL, or a path relative to the configuration file
 * @throws if it cannot be read or has another format
 */
export async function readReleases(
  source: string,
  { configPath, egress, signal }: { configPath: string; egress: Egress; signal: AbortSignal },
): Promise<Release[]> {
  const text = /^https?:\/\//i.test(source)
    ? await download(source, egress, signal)
    : (await readBoundedFile(pathOf(source, configPath), MAX_BYTES)).bytes.toString("utf8");
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (cause) {
    throw new Error("the list of releases is not JSON", { cause });
  }
  if (!Array.isArray(list)) throw new Error("the list of releases is not a list");
  return list.flatMap(release);
}

const pathOf = (source: string, configPath: string) =>
  source.startsWith("file://") ? fileURLToPath(source) : resolve(dirname(configPath), source);

/** The configured source may be internal; the targets of its redirects may not. */
async function download(url: string, egress: Egress, signal: AbortSignal): Promise<string> {
  const { status, text } = await egress.fetch(url, {
    signal,
    headers: { accept: "application/json" },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    allow: [new URL(url).host],
  });
  if (status < 200 || status > 299) throw new Error(`the server of the list of releases returned status ${status}`);
  return text;
}

function release(entry: unknown): Release[] {
  if (!isJsonObject(entry) || typeof entry.tag_name !== "string" || entry.draft === true) return [];
  const version = parseVersion(entry.tag_name);
  if (!version) return [];
  const { html_url: url } = entry;
  const publishedAt = typeof entry.published_at === "string" ? Date.parse(entry.published_at) : Number.NaN;
  return [
    {
      tag: entry.tag_name.replace(/^v/, ""),
      version,
      prerelease: entry.prerelease === true || version.pre.length > 0,
      ...(typeof url === "string" && /^https?:\/\//i.test(url) && { url }),
      ...(!Number.isNaN(publishedAt) && { publishedAt }),
      assets: assetsOf(entry.assets),
    },
  ];
}

function assetsOf(list: unknown): Release["assets"] {
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).flatMap(({ name, browser_download_url: url }) => {
    if (typeof name !== "string" || typeof url !== "string" || !URL.canParse(url)) return [];
    return [{ name, url }];
  });
}
