import type { ServerAction, ServerRecord } from "../../schema/server-record.ts";

const PAST: Record<string, string> = {
  add: "added",
  patch: "changed",
  enable: "enabled",
  disable: "disabled",
  restart: "restarted",
  quarantine: "quarantined",
  unquarantine: "released from quarantine",
  confirm: "confirmed; the proxy connects to it for review, and it stays quarantined",
  refresh: "tools listed again",
  discover_tools: "tools listed again",
};

/**
 * Returns the response to a change of one server: its record after the change, and the action.
 *
 * @param word replaces the usual word for the action if nothing had to be changed
 */
export function serverActionAnswer(
  action: string,
  record: ServerRecord,
  remark?: string,
  word: string = PAST[action] ?? action,
): ServerAction {
  const message = `server "${record.name}": ${word}${remark === undefined ? "" : `, ${remark}`}`;
  return { ...record, server: record.name, action, success: true, message };
}
