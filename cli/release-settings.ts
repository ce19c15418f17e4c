import { isJsonObject } from "#lib/core/base/json-object.ts";
import type { ReleaseSettings } from "#lib/modules/update/install/release-index.ts";
import { offlineConfig, parseDocument } from "#lib/read-config.ts";
import type { Cli } from "./cli.ts";

/**
 * Where releases are published, by the configuration file.
 *
 * @param source overrides `update_check.source`
 * @throws Fault config_invalid; Error without a source
 */
export async function releaseSettings({ globals, env }: Cli, source: string | undefined): Promise<ReleaseSettings> {
  const { path, text } = await offlineConfig({ path: globals.config, dataDir: globals.dataDir, env });
  const document = text === undefined ? {} : parseDocument(text, path);
  const check = isJsonObject(document.update_check) ? document.update_check : {};
  const index = source ?? textIn(check.source);
  if (index === undefined)
    throw new Error("no release index is configured; set it with: proxy config set update_check.source <url>");
  return {
    source: index,
    publicKey: textIn(check.public_key),
    channel: textIn(check.channel) ?? "stable",
    allowed: Array.isArray(document.outbound_allow) ? document.outbound_allow.map(String) : [],
    configPath: path,
  };
}

const textIn = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
