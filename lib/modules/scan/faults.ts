import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of security scans. */
export const faults = defineFaults({
  scan_blocks: {
    status: 409,
    text: (p: { server: string; reason: string }) =>
      `server "${p.server}" is not approved: ${p.reason}; see: proxy security report ${p.server}`,
  },
  scan_not_running: { status: 409, text: (p: { what: string }) => `no scan ${p.what} is running` },
  scan_running: {
    status: 409,
    text: (p: { what: string }) => `a scan ${p.what} is already running; wait for it or cancel it`,
  },
  scanner_fixed: {
    status: 409,
    text: (p: { id: string }) =>
      `scanner "${p.id}" is built in and has no settings; it can only be enabled or disabled`,
  },
});
