import { useState } from "preact/hooks";
import { useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import { Button } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";
import { Shown } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { setQuery, usePlace } from "../route.ts";
import { type Registry, SearchRegistry } from "./registries/search.tsx";
import { EditSource, Sources } from "./registries/sources.tsx";

/** The registries: a search in one, and their list. */
export default function Registries({ tab = "search" }: PageProps) {
  const registries = useLive("GET /api/v1/registries", {});
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title="Registries"
      about="Registry entries are unreviewed. Installed servers start in quarantine."
      actions={
        tab === "sources" && (
          <Button kind="main" icon="plus" onClick={() => setAdding(true)}>
            Add registry
          </Button>
        )
      }
    >
      <Tabs
        label="Parts of this page"
        base="/registries"
        current={tab}
        tabs={[
          { id: "search", title: "Find servers" },
          { id: "sources", title: "Registries" },
        ]}
      />
      <Shown of={registries}>
        {({ registries: all }) => (tab === "sources" ? <Sources all={all} /> : <Found all={all} />)}
      </Shown>
      {adding && <EditSource onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** The search is stored in the URL. */
function Found({ all }: { all: readonly Registry[] }) {
  const { query } = usePlace();
  const [registry, q, tag] = ["registry", "q", "tag"].map((name) => query.get(name) ?? "") as [string, string, string];
  return <SearchRegistry all={all} asked={{ registry, q, tag }} onAsk={(changes) => setQuery({ ...changes })} />;
}
