import { Button } from "./parts/button.tsx";
import type { Server } from "./parts/health.tsx";
import { at, href } from "./route.ts";
import { login, restart } from "./server-actions.ts";

/** The action that may repair an unhealthy server. */
export function ServerRemedy({ server }: { server: Server }) {
  const { name, health } = server;
  const to = (tab: string, text: string) => (
    <a class="button small" href={href(at("servers", name, tab))}>
      {text}
    </a>
  );
  switch (health.action) {
    case "login":
      return (
        <Button small kind="main" onClick={() => login(server)}>
          Sign in
        </Button>
      );
    case "restart":
      return (
        <Button small onClick={() => restart(server)}>
          Restart
        </Button>
      );
    case "view_logs":
      return to("log", "View log");
    case "set_secret":
    case "configure":
      return to("settings", "Change settings");
    default:
      return null;
  }
}
