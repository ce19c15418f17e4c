import { useState } from "preact/hooks";
import { useLive } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Shown } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { at, go } from "../../route.ts";
import { AddListed } from "../registries/add.tsx";
import type { Added } from "../registries/listed.ts";
import { type Asked, SearchRegistry } from "../registries/search.tsx";
import { WhatItIs } from "../registries/what.tsx";
import type { AddProps } from "./add.tsx";

/** Adds a server from a registry: search, review and inputs. */
export function FromRegistry({ onClose, to }: AddProps) {
  const registries = useLive("GET /api/v1/registries", {});
  const [asked, setAsked] = useState<Asked>({ registry: "", q: "", tag: "" });
  const [chosen, setChosen] = useState<{ registry: string; server: string }>();
  const done = async (server: Added) => {
    toast(`${server.name} is added${server.quarantined ? ", in quarantine until you release it" : ""}`);
    onClose();
    await go(to ?? at("servers", server.name));
  };
  if (chosen) return <Chosen {...chosen} onAdded={done} onBack={() => setChosen(undefined)} />;
  return (
    <Shown of={registries}>
      {({ registries: all }) => (
        <SearchRegistry
          all={all}
          asked={asked}
          onAsk={(changes) => setAsked({ ...asked, ...changes })}
          onChoose={(registry, server) => setChosen({ registry, server })}
        />
      )}
    </Shown>
  );
}

function Chosen(props: { registry: string; server: string; onAdded(server: Added): unknown; onBack(): void }) {
  const { registry, server, onAdded, onBack } = props;
  const listed = useLive("GET /api/v1/registries/{id}/servers/{serverId}", {
    params: { id: registry, serverId: server },
  });
  const back = <Button onClick={onBack}>Back to the search</Button>;
  return (
    <Shown of={listed}>
      {(found) => (
        <>
          <div class="stack tight">
            <h3>{found.name}</h3>
            <p class="muted">{found.description}</p>
          </div>
          <AddListed registry={registry} server={found} onAdded={onAdded}>
            {back}
          </AddListed>
          {found.not_installable !== undefined && <div class="row end">{back}</div>}
          <WhatItIs server={found} />
        </>
      )}
    </Shown>
  );
}
