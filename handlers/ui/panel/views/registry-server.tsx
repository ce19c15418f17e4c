import { useState } from "preact/hooks";
import { useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import { Badge } from "../parts/badge.tsx";
import { FindingList, Rules } from "../parts/findings.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Shown } from "../parts/states.tsx";
import { at, href } from "../route.ts";
import { AddListed } from "./registries/add.tsx";
import type { Added, Listed } from "./registries/listed.ts";
import { WhatItIs } from "./registries/what.tsx";

/** One server of a registry: description, what it would run, and its inputs. */
export default function RegistryServerPage({ registry = "", server = "" }: PageProps) {
  const listed = useLive("GET /api/v1/registries/{id}/servers/{serverId}", {
    params: { id: registry, serverId: server },
  });
  const title = listed.data?.name ?? server;
  return (
    <Page
      title={title}
      crumbs={[["Registries", `/registries?registry=${encodeURIComponent(registry)}`]]}
      aside={
        <>
          <Rules of={listed.data?.findings} />
          {listed.data?.status && <Badge tone="warn">{listed.data.status}</Badge>}
          {listed.data && listed.data.added.length > 0 && <Badge tone="ok">Added</Badge>}
        </>
      }
      {...(listed.data?.description && { about: listed.data.description })}
    >
      <Shown of={listed}>{(found) => <Entry key={found.id} registry={registry} server={found} />}</Shown>
    </Page>
  );
}

function Entry({ registry, server }: { registry: string; server: Listed }) {
  const [added, setAdded] = useState<Added>();
  return (
    <>
      {added ? (
        <Done server={added} />
      ) : (
        server.added.length > 0 && (
          <div class="notice">
            <Icon name="check" />
            <p class="grow">
              Already added as{" "}
              {server.added.map((name, i) => (
                <span key={name}>
                  {i > 0 && ", "}
                  <a href={href(at("servers", name))}>{name}</a>
                </span>
              ))}
              . You can add it again under another name.
            </p>
          </div>
        )
      )}
      {server.findings && (
        <Section title="Findings of the scan">
          <FindingList of={server.findings} />
        </Section>
      )}
      <div class="columns">
        <WhatItIs server={server} />
        {!added && (
          <Section title="Add this server">
            <AddListed registry={registry} server={server} onAdded={setAdded} />
          </Section>
        )}
      </div>
    </>
  );
}

function Done({ server }: { server: Added }) {
  return (
    <section class="hero" role="status">
      <span class="hero-icon ok">
        <Icon name="check" size={20} />
      </span>
      <div class="grow">
        <h2>{server.name} is added</h2>
        <p class="muted">
          {server.quarantined
            ? "It is in quarantine: no client can call its tools until you release it."
            : "It is not in quarantine, because the configuration disables quarantine."}
          {server.secrets.length > 0 && ` Stored as secrets: ${server.secrets.join(", ")}.`}
        </p>
      </div>
      <div class="row">
        <a class="button" href={href(at("servers", server.name))}>
          Open server
        </a>
        {server.quarantined && (
          <a class="button main" href={href("/approvals")}>
            Review
          </a>
        )}
      </div>
    </section>
  );
}
