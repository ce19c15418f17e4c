import { call, type Data, whenSignedOut } from "./api.ts";
import { connection, startEvents, stopEvents } from "./events.ts";
import { clearLive } from "./live.ts";
import { createValue, useValue } from "./value.ts";

/** Who is signed in: undefined until the proxy has said, null when it cannot be asked. */
export const session = createValue<Data<"GET /ui/session"> | undefined | null>(undefined);

/** Whether an administrator is signed in. The API decides; the panel only leaves out what it would reject. */
export const useIsAdmin = (): boolean => useValue(session)?.tier === "admin";

/** Asks who is signed in, and follows the events once somebody is. */
export async function findSession(): Promise<void> {
  try {
    const found = await call("GET /ui/session", {});
    session.set(found);
    if (found.signed_in) startEvents();
  } catch {
    session.set(null);
  }
}

/** The code behind the `#` of a link of `proxy ui`; it leaves the address bar and the history at once. */
export function takeCode(): string | undefined {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
  return code;
}

/** @throws Refused, Away */
export async function signIn(shown: { key: string } | { code: string }): Promise<void> {
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
  session.set({ signed_in: false, name: "", tier: "anonymous" });
}

whenSignedOut(() => {
  if (session.get()?.signed_in) over();
});

// The stream ends with the session, too; then it is not the proxy that is away.
connection.subscribe(() => {
  if (connection.get() !== "away" || !session.get()?.signed_in) return;
  call("GET /ui/session", {}).then(
    ({ signed_in }) => {
      if (!signed_in) over();
    },
    () => undefined,
  );
});
