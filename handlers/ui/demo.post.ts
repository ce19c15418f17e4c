import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { mayManage } from "#lib/core/verbs/servers/may-manage.ts";
import { addDemoServer, DEMO_SERVER } from "#lib/modules/demo/add.ts";
import { Fault } from "#lib/modules/demo/faults.ts";

/** Adds the bundled demo server, for a first try without other servers. */
export default endpoint("POST /ui/demo", {
  summary: "Add the demo server",
  access: "admin",
  data: v.object({ server: v.string() }),
  faults: ["demo_unavailable", "management_disabled"],
  async run({ app, by }) {
    mayManage(app, by, "add");
    if (app.boot.self.length === 0) throw new Fault("demo_unavailable");
    await addDemoServer(app.config, app.boot.self, by.caller.name);
    return { server: DEMO_SERVER };
  },
});
