import type { X509Certificate } from "node:crypto";
import { join } from "node:path";

/** What of this machine decides how it is made to trust an authority. */
export interface Machine {
  platform: NodeJS.Platform;
  home: string;
  /** Whether we are the system's administrator. */
  root: boolean;
  /** Whether a program is found by its name. */
  has(program: string): boolean;
  /** Folders of this person with certificates in NSS's form: those of Chromium and Firefox. */
  nss: readonly string[];
}

/** One place of this machine where an authority is trusted from. */
export interface Step {
  /** Whose trust it is. */
  place: string;
  /** Command lines, one after the other. */
  commands: readonly (readonly string[])[];
  /** Only the system's administrator may. */
  needsRoot: boolean;
}

/**
 * How the authority is put among those this machine trusts, or taken away: for this person where the system keeps such
 * a list for people, else for the whole machine. Nothing where no way is known.
 *
 * @param path of the authority's certificate
 */
export function trustSteps(machine: Machine, authority: X509Certificate, path: string, remove: boolean): Step[] {
  const { platform, home } = machine;
  if (platform === "darwin")
    return [darwin(join(home, "Library/Keychains/login.keychain-db"), authority, path, remove)];
  if (platform === "win32") {
    const command = remove
      ? ["certutil", "-user", "-delstore", "Root", authority.serialNumber]
      : ["certutil", "-user", "-f", "-addstore", "Root", path];
    return [{ place: "your Windows certificates", commands: [command], needsRoot: false }];
  }
  return [...systemOf(machine, authority, path, remove), ...browsersOf(machine, authority, path, remove)];
}

function darwin(keychain: string, authority: X509Certificate, path: string, remove: boolean): Step {
  const commands = remove
    ? [
        ["security", "remove-trusted-cert", path],
        ["security", "delete-certificate", "-Z", authority.fingerprint.replaceAll(":", ""), keychain],
      ]
    : [["security", "add-trusted-cert", "-r", "trustRoot", "-p", "ssl", "-k", keychain, path]];
  return { place: "your login keychain", commands, needsRoot: false };
}

/** By the program that keeps the list, in which folder and with what. */
const LISTS: readonly { program: string; folder: string; ending: string }[] = [
  { program: "update-ca-certificates", folder: "/usr/local/share/ca-certificates", ending: "crt" },
  { program: "update-ca-trust", folder: "/etc/pki/ca-trust/source/anchors", ending: "pem" },
];

function systemOf({ has }: Machine, authority: X509Certificate, path: string, remove: boolean): Step[] {
  const list = LISTS.find(({ program }) => has(program));
  const place = "the system's certificates";
  if (list) {
    const file = `${list.folder}/${nameOf(authority).replaceAll(" ", "-")}.${list.ending}`;
    const put = remove ? ["rm", "-f", file] : ["install", "-D", "-m", "644", path, file];
    return [{ place, commands: [put, [list.program]], needsRoot: true }];
  }
  if (!has("trust")) return [];
  return [{ place, commands: [["trust", "anchor", remove ? "--remove" : "--store", path]], needsRoot: true }];
}

function browsersOf({ has, nss }: Machine, authority: X509Certificate, path: string, remove: boolean): Step[] {
  if (!has("certutil")) return [];
  const name = nameOf(authority);
  return nss.map((folder) => {
    const at = ["certutil", "-d", `sql:${folder}`];
    const command = remove ? [...at, "-D", "-n", name] : [...at, "-A", "-t", "C,,", "-n", name, "-i", path];
    return { place: `the browser's certificates in ${folder}`, commands: [command], needsRoot: false };
  });
}

const nameOf = (cert: X509Certificate) => `proxy ${cert.fingerprint256.replaceAll(":", "").slice(0, 12).toLowerCase()}`;
