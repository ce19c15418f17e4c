import type { EventKind } from "#lib/core/schema/event.ts";
import { createValue } from "./value.ts";

/** The responses that each event invalidates, by route. The compiler requires an entry for every kind of event. */
export const MOVES: Record<EventKind, RegExp> = {
  "servers.changed": /\/(servers|status|tools|diagnostics|doctor|index|security)/,
  "config.reloaded": /\/(config|servers|status|profiles|routing|info|registries)/,
  "config.saved": /\/(config|servers|profiles)/,
  "config.problem": /\/(config|status|doctor|diagnostics)/,
  "tools.indexed": /\/(servers|tools|status|index|security)/,
  "tools.changed": /\/(servers|tools|status|index|security)/,
  "items.changed": /\/(servers|prompts|resources|resource-templates|status|index)/,
  "secrets.changed": /\/(secrets|doctor|servers)/,
  "active_profile.changed": /\/profiles/,
  "oauth.token_refreshed": /\/servers/,
  "oauth.refresh_failed": /\/(servers|doctor|diagnostics)/,
  "oauth.login_completed": /\/servers/,
  "oauth.login_failed": /\/(servers|doctor|diagnostics)/,
  "server.logged": /\/logs/,
  "sensitive_data.detected": /\/activity/,
  "security.decision": /\/(servers|tools|security|activity)/,
  "security.scan_settled": /\/(servers|tools|security)/,
  "security.integrity_alert": /\/(servers|security|status)/,
  "security.scanner_changed": /\/security/,
  "activity.tool_call.started": /^$/,
  "activity.tool_call.completed": /\/(activity|sessions)/,
  "activity.tool_call.rejected": /\/activity/,
  "activity.policy_decision": /\/activity/,
  "activity.quarantine_change": /\/(activity|servers|status)/,
  "activity.tool_quarantine_change": /\/(activity|servers|tools)/,
  "activity.config_change": /\/(activity|config)/,
  "activity.preflight.completed": /\/activity/,
  "activity.code_execution.completed": /\/(activity|sessions)/,
  "activity.system.start": /\//,
  "activity.system.stop": /^$/,
};

/** One event of the stream: `payload` and time. */
interface Told {
  kind: EventKind | "status" | "gap";
  payload: Record<string, unknown>;
  at?: string;
}

/** `away` after the stream was lost, until it is open again. */
type Connection = "connecting" | "live" | "away";

export const connection = createValue<Connection>("connecting");

const listeners = new Set<(told: Told) => void>();

/** Calls the listener for every event. @returns a function that stops it */
export function onEvent(listener: (told: Told) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The stream counts as lost after this silence; the proxy sends a heartbeat every 30 s (ms). */
const SILENCE_MS = 75_000;
const RETRY_MS = [1000, 2000, 4000, 8000, 15_000] as const;

let source: EventSource | undefined;
let failures = 0;
let retry: ReturnType<typeof setTimeout> | undefined;
let watchdog: ReturnType<typeof setTimeout> | undefined;

/** Follows the event stream until `stopEvents`, and reconnects when it is lost. */
export function startEvents(): void {
  stopEvents();
  open();
  addEventListener("online", again);
  addEventListener("pagehide", pause);
  addEventListener("pageshow", resume);
}

export function stopEvents(): void {
  removeEventListener("online", again);
  removeEventListener("pagehide", pause);
  removeEventListener("pageshow", resume);
  pause();
}

/**
 * Closes the stream of a page that the browser keeps for its Back button. Browsers open six connections to one origin,
 * so after six such pages the next one would never load.
 */
function pause(): void {
  clearTimeout(retry);
  clearTimeout(watchdog);
  source?.close();
  source = undefined;
}

function resume({ persisted }: PageTransitionEvent): void {
  if (persisted) again();
}

/** Reconnects at once, without waiting for the timer. */
export function again(): void {
  failures = 0;
  source?.close();
  open();
}

function open(): void {
  clearTimeout(retry);
  const opened = new EventSource("/events?servers=changed");
  source = opened;
  for (const kind of [...Object.keys(MOVES), "status", "gap", "ping"])
    opened.addEventListener(kind, (event) => hear(kind, event));
  opened.addEventListener("open", () => {
    failures = 0;
    alive();
  });
  opened.addEventListener("error", lost);
}

function alive(): void {
  clearTimeout(watchdog);
  watchdog = setTimeout(lost, SILENCE_MS);
  connection.set("live");
}

/** The panel always reconnects itself, because the browser stops after a response that is no event stream. */
function lost(): void {
  source?.close();
  clearTimeout(watchdog);
  clearTimeout(retry);
  connection.set("away");
  retry = setTimeout(open, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
}

function hear(kind: string, event: MessageEvent<string>): void {
  alive();
  if (kind === "ping") return;
  const body = JSON.parse(event.data) as { payload?: Record<string, unknown>; at?: string };
  const told = { kind, payload: body.payload ?? {}, ...(body.at !== undefined && { at: body.at }) } as Told;
  for (const listener of [...listeners]) listener(told);
}
