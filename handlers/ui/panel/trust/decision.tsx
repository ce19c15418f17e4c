import { Button } from "../parts/button.tsx";
import { isDangerous, type Standing } from "../parts/danger.ts";
import type { Server } from "../parts/health.tsx";
import { useIsAdmin } from "../session.ts";
import { confirmHeld } from "./confirm-start.tsx";
import { isReleasable, release } from "./release.tsx";

/**
 * The button for the pending decision about a quarantined server: a confirmation while it is held, a release after it
 * has listed tools, none while it lists nothing. It is filled only if the scan found no danger.
 */
export function Decision({ server, standing, small = false }: DecisionProps) {
  if (!useIsAdmin()) return null;
  if (server.held)
    return (
      <Button small={small} icon="shield" onClick={() => confirmHeld(server)}>
        Review
      </Button>
    );
  if (!isReleasable(server)) return null;
  return (
    <Button small={small} icon="shield" kind={isDangerous(standing) ? "plain" : "main"} onClick={() => release(server)}>
      Release
    </Button>
  );
}

interface DecisionProps {
  server: Server;
  standing: Standing | undefined;
  small?: boolean;
}
