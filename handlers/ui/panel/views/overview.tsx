import { useLive } from "../live.ts";
import { Page, Stat } from "../parts/page.tsx";
import { Shown } from "../parts/states.tsx";
import { count } from "../parts/time.tsx";

/** How everything is, at a glance. */
export default function Overview() {
  const status = useLive("GET /api/v1/status", {});
  return (
    <Page title="Overview">
      <Shown of={status}>
        {({ servers, tools }) => (
          <div class="stats">
            <Stat label="Servers" value={`${servers.connected} of ${servers.total}`} note="connected" />
            <Stat label="Tools" value={count(tools.total)} />
          </div>
        )}
      </Shown>
    </Page>
  );
}
