import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { Segments, segmentsOf } from "../../parts/filter.tsx";
import { ByHand } from "./add-by-hand.tsx";
import { FromRegistry } from "./add-from-registry.tsx";
import { Paste } from "./add-paste.tsx";

export interface AddProps {
  onClose(): void;
  /** The next page; by default the server's. */
  to?: string;
}

const WAYS = {
  paste: "Paste a configuration",
  registry: "Search a registry",
  command: "Run a command",
  address: "Connect to a URL",
} as const;
type Way = keyof typeof WAYS;

/** Adds servers: by the configuration of a client, from a registry, by command, or by URL. */
export function AddServer(props: AddProps) {
  const [way, setWay] = useState<Way>("paste");
  return (
    <Dialog title="Add a server" size="wide" onClose={props.onClose}>
      <Segments label="Method" value={way} options={segmentsOf<Way>(WAYS)} onValue={(to) => setWay(to)} />
      {way === "paste" ? (
        <Paste {...props} />
      ) : way === "registry" ? (
        <FromRegistry {...props} />
      ) : (
        <ByHand key={way} how={way} {...props} />
      )}
    </Dialog>
  );
}
