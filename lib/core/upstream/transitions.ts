import type { ConnectionState } from "../schema/connection-status.ts";

/** Which state may follow which (spec 001 §3; the reference's table without its two further states). */
const MOVES: Record<ConnectionState, readonly ConnectionState[]> = {
  Disconnected: ["Connecting"],
  Connecting: ["Authenticating", "Ready", "Error", "Disconnected"],
  Authenticating: ["Connecting", "Ready", "Error", "Disconnected"],
  Ready: ["Error", "Disconnected"],
  Error: ["Connecting", "Disconnected"],
};

export function isTransitionAllowed(from: ConnectionState, to: ConnectionState): boolean {
  return MOVES[from].includes(to);
}
