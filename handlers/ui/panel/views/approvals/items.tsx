import { useLive } from "../../live.ts";
import type { Server } from "../../parts/health.tsx";
import { Section } from "../../parts/page.tsx";
import { plural } from "../../parts/time.tsx";
import { WAITING_ITEMS } from "../items/acts.ts";
import { ItemList } from "../items/item-list.tsx";

/** New and changed prompts, resources and templates; hidden if none waits. */
export function WaitingItems({ only, servers }: { only: string; servers: readonly Server[] | undefined }) {
  const prompts = useLive("GET /api/v1/prompts", WAITING_ITEMS);
  const resources = useLive("GET /api/v1/resources", WAITING_ITEMS);
  const templates = useLive("GET /api/v1/resource-templates", WAITING_ITEMS);
  // Items of a quarantined server are decided with its release, but the filter by server shows them too.
  const isElsewhere = (s: Server) => !s.enabled || (only === "" && s.quarantined);
  const elsewhere = new Set(servers?.filter(isElsewhere).map((s) => s.name));
  const waiting = [prompts, resources, templates]
    .flatMap(({ data }) => data?.items ?? [])
    .filter((item) => !elsewhere.has(item.server_name) && (only === "" || item.server_name === only));
  if (waiting.length === 0) return null;
  const title = plural(waiting.length, "prompt or resource", "prompts and resources");
  return (
    <Section flush title={title + (only && ` of ${only}`)}>
      <ItemList label="Pending prompts and resources" items={waiting} isReview />
    </Section>
  );
}
