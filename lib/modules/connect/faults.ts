import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of connecting MCP clients. */
export const faults = defineFaults({
  connect_conflict: {
    status: 409,
    text: (p: {
      action: "precondition_failed" | "already_exists";
      reason: string;
      client: string;
      path: string;
      server_name: string;
    }) => p.reason,
  },
  connect_denied: {
    status: 403,
    text: (p: { path: string; remediation: string }) => p.remediation,
  },
  connect_refused: { status: 400, text: (p: { reason: string }) => p.reason },
  file_denied: {
    status: 403,
    text: (p: { path: string }) =>
      `the proxy has no permission to read ${p.path}; give its user read access, or send the content instead`,
  },
  undo_changed: {
    status: 409,
    text: (p: { client: string; path: string }) =>
      `${p.path} was edited after the proxy wrote it, so nothing was changed; to remove only the proxy's entry, use: proxy connect remove ${p.client}`,
  },
});
