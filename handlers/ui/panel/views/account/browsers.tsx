import type { Data } from "../../api.ts";
import { act, fresh, useLive } from "../../live.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { confirm } from "../../parts/dialog.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";

type Session = Data<"GET /api/v1/user/sessions">["sessions"][number];

/** The user's sessions. */
export function OwnBrowsers() {
  const answer = useLive("GET /api/v1/user/sessions", {});
  const end = async (session: Session) => {
    const yes = await confirm({
      title: `Sign ${browserOf(session)} out?`,
      consequence: session.current
        ? "This is the browser that you are using. You will have to sign in again."
        : "You will have to sign in again in that browser.",
      verb: "Sign out",
      danger: true,
    });
    if (!yes) return;
    await act(
      "DELETE /api/v1/user/sessions/{id}",
      { params: { id: session.id } },
      { done: "The browser is signed out" },
    );
    await fresh("GET /api/v1/user/sessions", {});
  };
  return <Shown of={answer}>{({ sessions }) => <Browsers sessions={sessions} onEnd={end} />}</Shown>;
}

/** A list of browser sessions, with a button that ends each. */
export function Browsers({ sessions, onEnd }: { sessions: readonly Session[]; onEnd(session: Session): unknown }) {
  return (
    <Section flush>
      {sessions.length === 0 ? (
        <Empty icon="users" title="No browser is signed in" />
      ) : (
        <ul class="lines" aria-label="Browsers">
          {sessions.map((session) => (
            <li key={session.id}>
              <div class="grow">
                <span class="name">{browserOf(session)}</span>{" "}
                {session.current && <Badge tone="info">This browser</Badge>}
                <p class="muted">
                  {session.email}, signed in <Time at={session.created_at} />
                  {session.ip_address && ` from ${session.ip_address}`}, until <Time at={session.expires_at} />
                </p>
              </div>
              <Button small onClick={() => onEnd(session)}>
                Sign out
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const BROWSERS = [/Edg\//, /Firefox\//, /OPR\//, /Chrome\//, /Safari\//] as const;
const NAMES = ["Edge", "Firefox", "Opera", "Chrome", "Safari"] as const;
const SYSTEMS = [/Android/, /iPhone|iPad/, /Windows/, /Mac OS X/, /Linux/] as const;
const SYSTEM_NAMES = ["Android", "iOS", "Windows", "macOS", "Linux"] as const;

/** A short name from the user agent: `Firefox on Linux`. */
export function browserOf({ user_agent: agent = "" }: Session): string {
  const browser = NAMES[BROWSERS.findIndex((b) => b.test(agent))] ?? "a browser";
  const system = SYSTEM_NAMES[SYSTEMS.findIndex((s) => s.test(agent))];
  return system === undefined ? browser : `${browser} on ${system}`;
}
