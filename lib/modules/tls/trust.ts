import type { X509Certificate } from "node:crypto";
import { join } from "node:path";

/** The facts about this machine that decide how it can trust an authority. */
export interface Machine {
  platform: NodeJS.Platform;
  home: string;
  /** Whether the process runs as root. */
  root: boolean;
  /** Whether a program is installed. */
  has(program: string): boolean;
  /** The user's certificate databases in NSS format: those of Chromium and Firefox. */
  nss: readonly string[];
}

/** One trust store of this machine. */
export interface Step {
  /** The programs that use it. */
  place: string;
  /** Command lines, in order. */
  commands: readonly (readonly string[])[];
  /** Whether it requires root. */
  needsRoot: boolean;
}

/**
 * The steps that add the authority to this machine's trust stores, or remove it: for this user if the system has a
 * store for users, otherwise for the machine. Empty if no store is known.
 *
 * @param path path of the authority's certificate
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

/** The system stores, by the program that updates them, with folder and file extension. */
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
