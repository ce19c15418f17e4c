import { isIP } from "node:net";
import * as v from "valibot";
import { isCidr } from "../base/cidr.ts";
import { parseHost } from "../base/host-port.ts";
import { formText, strings } from "./fields.ts";

/** The addresses of trusted reverse proxies (spec 001 §5.2, §5.3). */

export const TrustedProxies = v.pipe(
  strings(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    dataset.value.forEach((entry, i) => {
      if (isCidr(entry)) return;
      // The specification prescribes the complete message (spec 001 §5.3).
      const message = `trusted_proxies[${i}] "${entry}" is not a valid CIDR or IP address`;
      addIssue({ message, path: [{ type: "array", origin: "value", input: dataset.value, key: i, value: entry }] });
    });
  }),
);

export const AllowedHosts = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.check(isHost, 'must be a host name, with or without a port, ".domain" or "*"; no scheme and no path'),
    ),
  ),
  formText("list of strings"),
);

/** The internal hosts and networks that the proxy may connect to. */
export const OutboundNetworks = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.check(
        (entry) => entry !== "*" && (isCidr(entry) || isHost(entry)),
        'must be a host name, with or without a port, ".domain", an address or a CIDR',
      ),
    ),
  ),
  formText("list of strings"),
);

export const ListenAddress = v.pipe(v.string(), v.check(isListen, 'must be "host:port" or ":port"'));

function isHost(entry: string): boolean {
  return entry === "*" || isIP(entry) === 6 || parseHost(entry.startsWith(".") ? entry.slice(1) : entry) !== undefined;
}

/** True for a valid listen address. An empty text means that there is no HTTP listener. */
function isListen(text: string): boolean {
  return text === "" || parseHost(text.startsWith(":") ? `localhost${text}` : text)?.port !== undefined;
}
