import { Tag } from "../../parts/badge.tsx";
import { Snippet } from "../../parts/copy.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Facts, Section } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import type { Listed } from "./listed.ts";

/** An external link; only for http and https, because the registry is not trusted. */
function away(to: string | undefined) {
  if (to === undefined || !/^https?:\/\//i.test(to)) return undefined;
  return (
    <a href={to} target="_blank" rel="noopener noreferrer">
      {to.replace(/^https?:\/\//i, "")} <Icon name="external" size={11} />
    </a>
  );
}

/** A listed server, and what it would run on this machine. */
export function WhatItIs({ server }: { server: Listed }) {
  return (
    <Section title="About this server">
      <div class="stack">
        <Facts
          of={[
            ["Id", <code key="id">{server.id}</code>],
            ["Version", server.version],
            ["Kind", server.kind],
            ["Page", away(server.url)],
            ["Source code", away(server.source_code_url)],
            ["Published", server.created_at && <Time at={server.created_at} />],
            ["Changed", server.updated_at && <Time at={server.updated_at} />],
            [
              "Tags",
              server.tags.length > 0 && (
                <span key="tags" class="row">
                  {server.tags.map((tag) => (
                    <Tag key={tag}>{tag}</Tag>
                  ))}
                </span>
              ),
            ],
          ]}
        />
        {server.install_cmd && (
          <>
            <h3>Command</h3>
            <Snippet label="command" text={server.install_cmd} />
          </>
        )}
        {server.connect_url && (
          <>
            <h3>URL</h3>
            <Snippet label="address" text={server.connect_url} />
          </>
        )}
      </div>
    </Section>
  );
}
