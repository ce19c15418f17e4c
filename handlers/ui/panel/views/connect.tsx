import { useState } from "preact/hooks";
import { useLive } from "../live.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Snippet } from "../parts/copy.tsx";
import { Search } from "../parts/filter.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Shown } from "../parts/states.tsx";
import { plural } from "../parts/time.tsx";
import { at, href, setQuery, usePlace } from "../route.ts";
import { type ClientState, stateOf } from "./connect/client.ts";
import { installLinks } from "./connect/install-links.ts";

/** Whether the user allowed the panel to open client files, while this browser page is open. */
let opened = false;

/** The MCP clients of this machine and their connection to the proxy. */
export default function Connect() {
  const clients = useLive("GET /api/v1/connect", {});
  const files = useLive("GET /api/v1/servers/import/paths", {});
  const [allowed, setAllowed] = useState(opened);
  // Only macOS prompts the user before a program may open another one's files.
  const asks = files.data?.os === "darwin";
  const checked = allowed || (files.data !== undefined && !asks);
  const { query } = usePlace();
  const text = query.get("q") ?? "";
  return (
    <Page
      title="Connect"
      about="Connect an MCP client. You preview the change to its configuration file first, and you can undo it."
      actions={
        <a class="button" href={href("/setup")}>
          Import and connect all
        </a>
      }
    >
      <Shown of={clients}>
        {(all) => {
          const fits = all.filter((c) => `${c.name} ${c.id}`.toLowerCase().includes(text.toLowerCase()));
          const found = fits.filter((c) => c.exists);
          const others = fits.filter((c) => !c.exists);
          return (
            <>
              {all[0]?.proxy_url === "" && (
                <div class="notice warn">
                  <Icon name="warn" />
                  <p class="grow">
                    The proxy has no TCP listener, so clients cannot reach it. Set <code>listen</code> in the
                    configuration and restart it.
                  </p>
                </div>
              )}
              <div class="filters" role="search">
                <Search label="Search clients" value={text} onValue={(q) => setQuery({ q })} />
              </div>
              <Section
                flush
                title={found.length > 0 ? `${plural(found.length, "client")} on this machine` : "On this machine"}
                actions={
                  asks &&
                  !allowed &&
                  found.length > 0 && (
                    <Button
                      small
                      icon="refresh"
                      title="Reads their configuration files; your system may ask for permission."
                      onClick={() => {
                        opened = true;
                        setAllowed(true);
                      }}
                    >
                      Check state
                    </Button>
                  )
                }
              >
                {found.length > 0 ? (
                  <ul class="lines">
                    {found.map((c) => (
                      <Found key={c.id} client={c} checked={checked} />
                    ))}
                  </ul>
                ) : (
                  <p class="muted none">
                    {text === ""
                      ? "No supported client has a configuration file on this machine. Choose your client below; the proxy creates its file."
                      : "No clients match."}
                  </p>
                )}
              </Section>
              {others.length > 0 && (
                <Section title="Other supported clients">
                  <div class="tiles">
                    {others.map((c) => (
                      <a key={c.id} class="tile off" href={href(at("connect", c.id))}>
                        <Initial name={c.name} />
                        <span class="truncate">{c.name}</span>
                        <Icon name="right" size={12} />
                      </a>
                    ))}
                  </div>
                </Section>
              )}
              {all[0]?.proxy_url !== "" && <ByHand url={`${location.origin}/mcp`} />}
            </>
          );
        }}
      </Shown>
    </Page>
  );
}

function Found({ client, checked }: { client: ClientState; checked: boolean }) {
  const looked = useLive("GET /api/v1/connect/{client}", checked ? { params: { client: client.id } } : undefined);
  const now = looked.data ?? client;
  const { tone, text } = stateOf(now);
  const path = href(at("connect", client.id));
  const verb = now.connected
    ? "Open"
    : now.access_state === "malformed" || now.access_state === "denied"
      ? "Show why"
      : "Connect";
  return (
    <li>
      <Initial name={client.name} />
      <div class="grow">
        <a class="name" href={path}>
          {client.name}
        </a>
        <code class="truncate muted">{client.config_path}</code>
      </div>
      <div class="row">
        <Badge tone={tone}>{text}</Badge>
        <a class="button small" href={path} aria-label={`${verb} ${client.name}`}>
          {verb}
        </a>
      </div>
    </li>
  );
}

const TONES = ["", " accent", " ok", " warn"] as const;

/** Two letters in a colour in place of a client's logo, which other companies own. */
function Initial({ name }: { name: string }) {
  const [first = "", second] = name.split(/[\s-]+/);
  const letters = second
    ? first.charAt(0) + second.charAt(0)
    : /^[A-Z]{2}/.test(name)
      ? name.slice(0, 2)
      : first.slice(0, 2);
  const sum = [...name].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return (
    <span class={`initial${TONES[sum % TONES.length]}`} aria-hidden="true">
      {letters}
    </span>
  );
}

/**
 * Instructions for a client that is not in the list.
 *
 * @param url the endpoint at the address at which this browser reaches the proxy, which may be that of a reverse proxy
 */
function ByHand({ url }: { url: string }) {
  return (
    <Section title="Any other client">
      <div class="stack">
        <p class="muted">
          Enter this address in the client. If it needs a credential, <a href={href("/tokens")}>make an agent token</a>{" "}
          and send it as <code>Authorization: Bearer</code>.
        </p>
        <Snippet label="address" text={url} />
        <p class="muted">A client on the computer of this browser can add the proxy itself:</p>
        <div class="row wrap">
          {installLinks(url).map(({ client, href: to }) => (
            <a key={client} class="button small" href={to}>
              Add to {client}
            </a>
          ))}
        </div>
        <p class="muted">Most clients accept this configuration:</p>
        <Snippet
          label="configuration"
          text={JSON.stringify({ mcpServers: { mcpproxy: { type: "http", url } } }, null, 2)}
        />
      </div>
    </Section>
  );
}
