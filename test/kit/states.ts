import type { App } from "#lib/core/app.ts";
import type { ConnectionStatus } from "#lib/core/schema/connection-status.ts";

/** Returns the App with these connection states; tests may change them. */
export function withStates(app: App, states: Record<string, Partial<ConnectionStatus>>): App {
  const well: ConnectionStatus = { state: "Ready", since: 0, attempts: 1, reconnects: 0, connectedAt: 1 };
  const refuse = () => Promise.reject(new Error("no upstream may be asked"));
  const upstreams: App["upstreams"] = {
    ...app.upstreams,
    get: (name) =>
      states[name] && {
        name,
        connectsOnUse: false,
        isMoving: () => false,
        capabilities: undefined,
        status: () => ({ ...well, ...states[name] }),
        load: () => ({ active: 0, waiting: 0 }),
        request: refuse,
        start: (_method, _params, _options, { fail }) => fail(new Error("no upstream may be asked")),
        onElicitationComplete: () => {},
        watch: refuse,
        unwatch: () => {},
        watchTask: refuse,
        mask: (text) => text,
        restart: refuse,
        ensureReady: refuse,
        discover: refuse,
      },
  };
  return { ...app, upstreams };
}
