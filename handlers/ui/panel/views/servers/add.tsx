import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { Segments, segmentsOf } from "../../parts/filter.tsx";
import { ByHand } from "./add-by-hand.tsx";
import { FromRegistry } from "./add-from-registry.tsx";
import { Paste } from "./add-paste.tsx";

export interface AddProps {
  onClose(): void;
  /** Where to go when it is done; to the server, when left out. */
  to?: string;
}

const WAYS = {
  paste: "Paste a configuration",
  registry: "Search a registry",
  command: "Run a command",
  address: "Connect to a URL",
} as const;
type Way = keyof typeof WAYS;

/** Adds servers: by the configuration of a client, from a registry, by a command, or by an address. */
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
