import { useLive } from "../../live.ts";
import type { Server } from "../../parts/health.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Failed, Shown } from "../../parts/states.tsx";
import { ItemList } from "../items/item-list.tsx";

/** The prompts, resources and resource templates of one server. */
export function ServerItems({ server }: { server: Server }) {
  const { name, enabled, items_error } = server;
  const params = { name };
  const prompts = useLive("GET /api/v1/servers/{name}/prompts", { params });
  const resources = useLive("GET /api/v1/servers/{name}/resources", { params });
  const templates = useLive("GET /api/v1/servers/{name}/resource-templates", { params });
  return (
    <Shown of={prompts}>
      {(of) => (
        <Shown of={resources}>
          {(and) => (
            <Shown of={templates}>
              {(last) => {
                const items = [...of.items, ...and.items, ...last.items];
                if (items_error !== undefined && items.length === 0)
                  return <Failed error={new Error(`They could not be listed: ${items_error}`)} />;
                if (items.length === 0)
                  return (
                    <Section>
                      <Empty icon="tools" title="No prompts or resources listed">
                        {enabled
                          ? "Many servers offer tools only. What a server offers is listed when it is connected."
                          : "Enable the server to list what it offers."}
                      </Empty>
                    </Section>
                  );
                return (
                  <Section flush>
                    <ItemList label={`Prompts and resources of ${name}`} items={items} />
                  </Section>
                );
              }}
            </Shown>
          )}
        </Shown>
      )}
    </Shown>
  );
}
