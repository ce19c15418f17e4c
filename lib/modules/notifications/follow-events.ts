import { startPosition } from "../../core/api/event-stream/position.ts";
import type { App } from "../../core/app.ts";
import { eventHistory } from "../../core/extension/event-history.ts";
import { replicaSharing } from "../../core/extension/replica-sharing.ts";
import type { EventOf } from "../../core/schema/event.ts";

const POSITION_KEY = "notifications/position";
/** How often the position is stored (ms). */
const STORE_MS = 5000;

/**
 * Calls `listener` with each event. In a cluster these are the events of all replicas, from the one on at which the
 * replica before this one stopped; after a kill, events of the last seconds come a second time.
 *
 * @returns a function that ends it
 */
export function followEvents(app: App, listener: (event: EventOf) => void): () => unknown {
  if (!app.part(replicaSharing)) return app.events.subscribe(listener);
  const { store, clock, log } = app;
  const history = app.part(eventHistory);
  const stored = store.meta.get(POSITION_KEY);
  const { after, known } = startPosition(history, typeof stored === "string" ? stored : undefined);
  let position = known ? after : history.first - 1;
  let storedPosition = position;

  const readOn = () => {
    // The history may have gone back, as after a restored backup.
    if (position > history.last) position = history.first - 1;
    while (position < history.last) {
      const event = history.eventAt(++position);
      if (event && event.kind !== "omitted") listener(event);
    }
  };
  const savePosition = async () => {
    if (position === storedPosition) return;
    storedPosition = position;
    await store.meta.set(POSITION_KEY, history.positionId(position));
  };
  const ends = [
    history.subscribe(readOn),
    clock.every(STORE_MS, () => log.catch("storing the position of the notifications", savePosition())),
  ];
  readOn();
  return async () => {
    for (const end of ends) end();
    await savePosition().catch(() => undefined);
  };
}
