import type { EngineApi } from "./api.ts";
import { LABELS, type Mark } from "./mark.ts";

/** Timeout of a request to the engine; a working one takes much less (ms). */
const ORDER_MS = 10_000;

/** Stops and removes a container and its anonymous volumes. Never fails. */
export async function removeContainer(api: EngineApi, id: string): Promise<void> {
  const signal = AbortSignal.timeout(ORDER_MS);
  // Killed first, because some engines wait ten seconds for a container to end before they remove it.
  await api.ask("POST", `/containers/${id}/kill`, { signal }).catch(() => undefined);
  await api.ask("DELETE", `/containers/${id}?force=1&v=1`, { signal }).catch(() => undefined);
}

/** Removes every container that earlier runs on this data directory left. @returns the number of containers */
export async function removeEarlier(api: EngineApi, { instance, run }: Mark): Promise<number> {
  const found = await labelled(api, `${LABELS.instance}=${instance}`);
  return await removeAll(
    api,
    found.filter(({ labels }) => labels[LABELS.run] !== run),
  );
}

/** Removes every container of one run. @returns the number of containers */
export async function removeRun(api: EngineApi, run: string): Promise<number> {
  return await removeAll(api, await labelled(api, `${LABELS.run}=${run}`));
}

interface Found {
  id: string;
  labels: Readonly<Record<string, unknown>>;
}

async function removeAll(api: EngineApi, found: readonly Found[]): Promise<number> {
  await Promise.all(found.map(({ id }) => removeContainer(api, id)));
  return found.length;
}

async function labelled(api: EngineApi, label: string): Promise<Found[]> {
  const filters = encodeURIComponent(JSON.stringify({ label: [label] }));
  const signal = AbortSignal.timeout(ORDER_MS);
  const found = await api.ask("GET", `/containers/json?all=1&filters=${filters}`, { signal });
  return (Array.isArray(found) ? found : []).flatMap((one: { Id?: unknown; Labels?: unknown }) =>
    typeof one.Id === "string" ? [{ id: one.Id, labels: Object(one.Labels) as Found["labels"] }] : [],
  );
}
