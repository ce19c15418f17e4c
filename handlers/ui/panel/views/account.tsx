import { useState } from "preact/hooks";
import { Refused } from "../api.ts";
import { useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import { Tag } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { session } from "../session.ts";
import { useValue } from "../value.ts";
import { OwnBrowsers } from "./account/browsers.tsx";
import { OwnServers } from "./account/servers.tsx";
import { TokenTable } from "./tokens/list.tsx";
import { NewToken } from "./tokens/new.tsx";

/** The user's own data in the multi-user edition: servers, sign-ins, tokens, browsers. */
export default function Account({ tab = "servers" }: PageProps) {
  const me = useLive("GET /api/v1/auth/me", {});
  const provider = useValue(session)?.provider;
  const [adding, setAdding] = useState(false);
  const nobody = me.error instanceof Refused && me.error.code === "user_required";
  if (nobody && me.data === undefined)
    return (
      <Page title="My account">
        <Section>
          <Empty icon="users" title="You are signed in with the API key">
            Only a user who signed in with the identity provider has an account. To see yours, sign out and sign in with
            the provider.
          </Empty>
        </Section>
      </Page>
    );
  return (
    <Page
      title="My account"
      aside={me.data && <Tag>{me.data.role === "admin" ? "administrator" : "user"}</Tag>}
      {...(me.data && {
        about: `${me.data.display_name || me.data.email}, signed in with ${provider ?? me.data.provider}`,
      })}
      actions={
        tab === "tokens" && (
          <Button kind="main" icon="plus" onClick={() => setAdding(true)}>
            Create token
          </Button>
        )
      }
    >
      <Tabs
        label="Parts of this page"
        base="/account"
        current={tab}
        tabs={[
          { id: "servers", title: "My servers" },
          { id: "tokens", title: "My tokens" },
          { id: "browsers", title: "My browsers" },
        ]}
      />
      {tab === "tokens" ? (
        <OwnTokens onAdd={() => setAdding(true)} />
      ) : tab === "browsers" ? (
        <OwnBrowsers />
      ) : (
        <OwnServers />
      )}
      {adding && <NewToken whose="own" onClose={() => setAdding(false)} />}
    </Page>
  );
}

function OwnTokens({ onAdd }: { onAdd(): void }) {
  const answer = useLive("GET /api/v1/user/tokens", {});
  return <Shown of={answer}>{({ tokens }) => <TokenTable tokens={tokens} whose="own" onAdd={onAdd} />}</Shown>;
}
