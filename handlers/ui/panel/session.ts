import { type Args, call, type Data, whenSignedOut } from "./api.ts";
import { connection, startEvents, stopEvents } from "./events.ts";
import { clearLive } from "./live.ts";
import { createValue, useValue } from "./value.ts";

/** The signed-in user: undefined until the proxy has responded, null if it is not reachable. */
export const session = createValue<Data<"GET /ui/session"> | undefined | null>(undefined);

/** Whether an administrator is signed in. The API enforces rights; the panel only hides what it would reject. */
export const useIsAdmin = (): boolean => useValue(session)?.tier === "admin";

/** Requests the session, and follows the events if a user is signed in. */
export async function findSession(): Promise<void> {
  try {
    const found = await call("GET /ui/session", {});
    session.set(found);
    if (found.signed_in) startEvents();
  } catch {
    session.set(null);
  }
}

/** Reads the code after the `#` of a link from `proxy ui`, and removes it from the address bar and the history. */
export function takeCode(): string | undefined {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
  return code;
}

/** @throws Refused, Away */
export async function signIn(shown: Args<"POST /ui/session">["body"]): Promise<void> {
  await call("POST /ui/session", { body: shown });
  clearLive();
  await findSession();
}

export async function signOut(): Promise<void> {
  await call("DELETE /ui/session", {});
  over();
}

function over(): void {
  stopEvents();
  clearLive();
  session.set({ signed_in: false, name: "", tier: "anonymous", passkeys: false });
  // Whether a passkey can be used now may have changed.
  void findSession();
}

whenSignedOut(() => {
  if (session.get()?.signed_in) over();
});

// The stream also ends with the session; in that case the proxy is still reachable.
connection.subscribe(() => {
  if (connection.get() !== "away" || !session.get()?.signed_in) return;
  call("GET /ui/session", {}).then(
    ({ signed_in }) => {
      if (!signed_in) over();
    },
    () => undefined,
  );
});
