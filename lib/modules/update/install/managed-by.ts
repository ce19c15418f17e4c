import { updateCommand } from "../command.ts";
import type { InstallChannel } from "../updates.ts";

/** Who updates a program that `proxy upgrade` must leave alone, and by which command. */
interface Manager {
  name: string;
  command?: string;
}

/**
 * The package manager in charge of a program, by its install channel and path; undefined for a program that may replace
 * itself.
 */
export function managedBy(channel: InstallChannel, path: string, isSingle: boolean): Manager | undefined {
  const place = path.replaceAll("\\", "/");
  if (place.startsWith("/nix/store/")) return { name: "Nix", command: "nix profile upgrade proxy" };
  if (/\/scoop\/apps\//i.test(place)) return { name: "Scoop", command: "scoop update proxy" };
  if (/\/winget\/packages\//i.test(place)) return { name: "winget", command: "winget upgrade proxy" };
  if (!isSingle && /\/node_modules\//.test(place)) return { name: "npm", command: "npm update --global" };
  if (!isSingle) return managed("Git", "go-install");
  const name = NAMES[channel];
  return name === undefined ? undefined : managed(name, channel);
}

const managed = (name: string, channel: InstallChannel): Manager => {
  const command = updateCommand(channel);
  return { name, ...(command !== undefined && { command }) };
};

const NAMES: Partial<Record<InstallChannel, string>> = {
  pkgmgr: "Homebrew",
  deb: "APT",
  rpm: "DNF",
  container: "the container engine",
};
