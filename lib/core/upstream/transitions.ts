import type { ConnectionState } from "../schema/connection-status.ts";

/** The allowed changes of state (spec 001 §3; the table of the reference without its two additional states). */
const MOVES: Record<ConnectionState, readonly ConnectionState[]> = {
  Disconnected: ["Connecting"],
  Connecting: ["Authenticating", "Ready", "Error", "Disconnected"],
  Authenticating: ["Connecting", "Ready", "Error", "Disconnected"],
  Ready: ["Error", "Disconnected"],
  Error: ["Connecting", "Disconnected"],
};

/** True if a connection may change from one state to the other. */
export function isTransitionAllowed(from: ConnectionState, to: ConnectionState): boolean {
  return MOVES[from].includes(to);
}
