import { useLive } from "../live.ts";
import type { PageProps } from "../pages.ts";
import type { Schema } from "../parts/form.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page } from "../parts/page.tsx";
import { Shown } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { plural } from "../parts/time.tsx";
import { session } from "../session.ts";
import { useValue } from "../value.ts";
import { History } from "./configuration/history.tsx";
import { Passkeys } from "./configuration/passkeys.tsx";
import { Settings } from "./configuration/settings.tsx";

/** The configuration and its history. */
export default function Configuration({ tab = "settings" }: PageProps) {
  const config = useLive("GET /api/v1/config", {});
  const schema = useLive("GET /api/v1/config/schema", {});
  const isTeam = useValue(session)?.provider !== undefined;
  return (
    <Page title="Configuration" about={config.data?.config_path && <code>{config.data.config_path}</code>}>
      <Tabs
        label="Parts of the configuration"
        base="/configuration"
        current={tab}
        tabs={[
          { id: "settings", title: "Settings" },
          { id: "history", title: "History" },
          ...(isTeam ? [] : [{ id: "sign-in", title: "Sign-in" }]),
        ]}
      />
      {config.data && <Notices shown={config.data} />}
      {tab === "history" ? (
        <History />
      ) : tab === "sign-in" ? (
        <Passkeys />
      ) : (
        <Shown of={schema}>
          {({ schema: described, restart_keys }) => (
            <Shown of={config}>
              {(shown) => <Settings shown={shown} schema={described as Schema} restart={restart_keys} />}
            </Shown>
          )}
        </Shown>
      )}
    </Page>
  );
}

type Said = NonNullable<ReturnType<typeof useLive<"GET /api/v1/config">>["data"]>;

function Notices({ shown: { pending_restart, problem, unknown_keys } }: { shown: Said }) {
  return (
    <>
      {problem !== undefined && (
        <p class="notice bad">
          <Icon name="bad" />
          <span class="grow">The proxy rejected the last edit of the configuration file: {problem}</span>
        </p>
      )}
      {pending_restart.length > 0 && (
        <p class="notice warn">
          <Icon name="wait" />
          <span class="grow">
            {plural(pending_restart.length, "setting")} {pending_restart.length === 1 ? "waits" : "wait"} for the next
            start: <strong>{pending_restart.join(", ")}</strong>
          </span>
        </p>
      )}
      {unknown_keys.length > 0 && (
        <p class="notice">
          <Icon name="about" />
          <span class="grow">Unknown keys, kept but without effect: {unknown_keys.join(", ")}</span>
        </p>
      )}
    </>
  );
}
