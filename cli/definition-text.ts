import { escapeInvisible } from "#lib/core/base/excerpt.ts";
import type { ServerRecord } from "#lib/core/schema/server-record.ts";
import { quoted } from "./self.ts";

/**
 * What a server runs or contacts, one line each, with secrets masked as by the proxy and invisible characters as
 * escapes.
 */
export function definitionText(server: ServerRecord): string {
  const { command, args = [], url, protocol, working_dir, env = {}, headers = {}, oauth, isolation } = server;
  const lines: [label: string, value: string | undefined][] = [
    ["command", command === undefined ? undefined : [command, ...args].map(quoted).join(" ")],
    ["address", url],
    ["protocol", protocol],
    ["folder", working_dir],
    ["environment", Object.keys(env).join(", ") || undefined],
    ["headers", Object.keys(headers).join(", ") || undefined],
    ["sign-in", oauth && JSON.stringify(oauth)],
    ["isolation", isolation && JSON.stringify(isolation)],
  ];
  return lines
    .flatMap(([label, value]) => (value === undefined ? [] : [`  ${`${label}:`.padEnd(13)}${escapeInvisible(value)}`]))
    .join("\n");
}
