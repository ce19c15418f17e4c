import { type App, part } from "../app.ts";
import { sharesSessions } from "../extension/shares-sessions.ts";
import { ownerKey } from "../schema/caller.ts";
import type { McpMode } from "./mount.ts";
import { sealedStates } from "./sealed-states.ts";
import type { SessionOpening } from "./session-opening.ts";

/** What a session's id contains, if replicas share sessions. */
interface SharedSession {
  readonly revision: string;
  readonly client: SessionOpening["client"];
  readonly capabilities: NonNullable<SessionOpening["capabilities"]>;
  readonly isAppHost: boolean;
  /** The id in records. */
  readonly record: string;
}

/**
 * Session ids that contain the session, encrypted, so that any replica can continue it. An id is valid for its caller
 * and endpoint only.
 */
export interface SessionHandles {
  /** Makes the id of a new session. @returns undefined if the client declared too much to fit into an id */
  seal(opening: SessionOpening, record: string): Promise<string | undefined>;
  /** Reads an id. @returns undefined if it was not made here or for this caller and endpoint, or is too old */
  open(id: string, whose: Pick<SessionOpening, "mode" | "caller">): Promise<SharedSession | undefined>;
}

/** The client cannot be told a new id during a session, so its end cannot move with its use. */
export const SESSION_ID_LIFETIME_MS = 24 * 3_600_000;
/** Some clients and reverse proxies do not send long headers. (characters) */
const MAX_TEXT = 1000;

/** Undefined if each session belongs to one replica. */
export const sessionHandles = part<SessionHandles | undefined>("sessionHandles", (app: App) => {
  if (!app.part(sharesSessions)) return undefined;
  return {
    async seal({ revision, client, capabilities = {}, isAppHost = false, ...whose }, record) {
      const session: SharedSession = { revision, client, capabilities, isAppHost, record };
      const text = JSON.stringify(session);
      return text.length > MAX_TEXT
        ? undefined
        : app.part(sealedStates).seal(placeOf(whose), text, SESSION_ID_LIFETIME_MS);
    },
    async open(id, whose) {
      const text = await app.part(sealedStates).open(placeOf(whose), id);
      // The text was sealed by this program, so it has this form.
      return text === undefined ? undefined : (JSON.parse(text) as SharedSession);
    },
  };
});

function placeOf({ mode, caller }: { mode: McpMode; caller: SessionOpening["caller"] }): string {
  return JSON.stringify(["session", ownerKey(caller), mode]);
}
