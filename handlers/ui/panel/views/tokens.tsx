import { useState } from "preact/hooks";
import { useShortcuts } from "../keys.ts";
import type { PageProps } from "../pages.ts";
import { Button } from "../parts/button.tsx";
import { Page } from "../parts/page.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { setQuery, usePlace } from "../route.ts";
import { EditProfile } from "./tokens/edit.tsx";
import { AgentTokens } from "./tokens/list.tsx";
import { NewToken } from "./tokens/new.tsx";
import { Profiles } from "./tokens/profiles.tsx";

const ABOUT = {
  tokens: "An agent token limits a client to the servers and permissions that it names.",
  profiles: "A profile is a named set of servers with its own endpoint.",
} as const;

/** Agent tokens, and the profiles that can limit them. */
export default function Tokens({ tab = "tokens" }: PageProps) {
  const { query } = usePlace();
  const [adding, setAdding] = useState(query.get("add") !== null);
  const close = () => {
    setAdding(false);
    setQuery({ add: "" });
  };
  const profiles = tab === "profiles";
  const add = profiles ? "Add profile" : "Create token";
  useShortcuts([{ keys: "n", label: add, run: () => setAdding(true) }]);
  return (
    <Page
      title="Tokens and profiles"
      about={ABOUT[profiles ? "profiles" : "tokens"]}
      actions={
        <Button kind="main" icon="plus" onClick={() => setAdding(true)}>
          {add}
        </Button>
      }
    >
      <Tabs
        label="Parts of this page"
        base="/tokens"
        current={tab}
        tabs={[
          { id: "tokens", title: "Agent tokens" },
          { id: "profiles", title: "Profiles" },
        ]}
      />
      {profiles ? <Profiles onAdd={() => setAdding(true)} /> : <AgentTokens onAdd={() => setAdding(true)} />}
      {adding && (profiles ? <EditProfile onClose={close} /> : <NewToken whose="proxy" onClose={close} />)}
    </Page>
  );
}
