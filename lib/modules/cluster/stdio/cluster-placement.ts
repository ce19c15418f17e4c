import type { App } from "../../../core/app.ts";
import { joinHost, parseHost } from "../../../core/base/host-port.ts";
import type { ProcessLease, ProcessPlacement } from "../../../core/upstream/process-placement.ts";
import { Fault } from "../faults.ts";
import type { SharedStore } from "../store/open-shared-store.ts";
import type { ProcessSharing } from "./join-process-sharing.ts";

/** Names of "every address", by which no other replica can reach this one. */
const UNSPECIFIED = new Set(["0.0.0.0", "::", ""]);

/** Returns the placement of processes that the configuration selects; undefined if each replica runs its own. */
export function clusterPlacement(app: App): ProcessPlacement | undefined {
  const { database_url, replica_listen } = app.config.current().cluster;
  if (database_url === "" || replica_listen === "") return undefined;
  const leaseListeners: ((lease: ProcessLease) => void)[] = [];
  let joined: ProcessSharing | undefined;
  const join = async () => {
    const listener = await replicaListener(app);
    const { database, program } = (app.store as SharedStore).cluster;
    const { joinProcessSharing } = await import("./join-process-sharing.ts");
    joined = await joinProcessSharing(app, { database, id: program, listener });
    joined.onLease((lease) => {
      for (const notify of leaseListeners) notify(lease);
    });
    return joined;
  };
  const joining = join();
  app.log.catch("sharing the processes of servers with other replicas", joining);
  return {
    async place(server, signal) {
      if (server.scope === "replica") return undefined;
      return (await joining).place(server, signal);
    },
    onLease: (listener) => void leaseListeners.push(listener),
    notified: (server, method, params) => joined?.notified(server, method, params),
    leave: async (graceMs) => joined?.leave(graceMs),
    close: () =>
      joining.then(
        (sharing) => sharing.close(),
        () => {},
      ),
  };
}

/** @throws Fault cluster_listener_invalid */
async function replicaListener({ config, secrets, boot }: App) {
  const { replica_listen, replica_address } = config.current().cluster;
  const [listen, address] = await Promise.all([replica_listen, replica_address].map((text) => secrets.resolve(text)));
  const at = parseHost(listen!);
  if (at?.port === undefined)
    throw new Fault("cluster_listener_invalid", { key: "replica_listen", reason: `"${listen}" is not host:port` });
  if (address === "" && UNSPECIFIED.has(at.host))
    throw new Fault("cluster_listener_invalid", {
      key: "replica_address",
      reason: `${at.host} is every address of this machine, and the other replicas need one of them`,
    });
  if (address !== "" && parseHost(address!)?.port === undefined)
    throw new Fault("cluster_listener_invalid", { key: "replica_address", reason: `"${address}" is not host:port` });
  // Each worker has a port of its own, from the configured one on.
  const add = (port: number) => (port === 0 ? 0 : port + (boot.worker?.number ?? 1) - 1);
  const shown = address === "" ? undefined : parseHost(address!);
  return {
    host: at.host,
    port: add(at.port),
    address: shown && boot.worker ? joinHost(shown.host, add(shown.port!)) : address || undefined,
  };
}
