/** The rules of a server's `isolation`, without rendering. */
export type Isolation = Readonly<Record<string, unknown>>;

export const HOW = ["general", "docker", "sandbox", "none"] as const;
export type How = (typeof HOW)[number];
/** Kind of isolation. */
export type Place = Exclude<How, "general">;

/** The kind in the server's own settings; `general` follows the configuration. */
export function howOf({ enabled_override: on, enabled, mode }: Isolation): How {
  const own = on ?? enabled;
  if (own === false || mode === "none") return "none";
  if (own === undefined && mode === undefined) return "general";
  return mode === "sandbox" ? "sandbox" : "docker";
}

/** The kind that the configuration sets for servers without their own setting. */
export function generalOf({ enabled, mode }: { enabled: boolean; mode: string }): Place {
  if (!enabled || mode === "none") return "none";
  return mode === "sandbox" ? "sandbox" : "docker";
}

/** Changes the kind and removes the deprecated form of the switch. */
export function placed({ enabled_override: _, enabled: __, mode: ___, ...rest }: Isolation, how: How): Isolation {
  if (how === "general") return rest;
  return how === "none" ? { ...rest, enabled_override: false } : { ...rest, enabled_override: true, mode: how };
}

/** Sets one member; an empty value removes it. */
export function withMember(own: Isolation, name: string, value: unknown): Isolation {
  const { [name]: _, ...rest } = own;
  const empty = value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  return empty ? rest : { ...rest, [name]: value };
}

/** A shared folder of this machine. */
export interface Folder {
  here: string;
  /** Its path inside the container. */
  inside: string;
  write: boolean;
}

const FLAG = /^(?:-v|--volume)$/;
const BIND = /^([^:]+):(\/[^:]*)(?::(ro|rw))?$/;

/** Splits flags of `docker run` into folders and other flags. */
export function readFlags(flags: readonly string[]): { folders: Folder[]; rest: string[] } {
  const folders: Folder[] = [];
  const rest: string[] = [];
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i] ?? "";
    const apart = FLAG.test(flag);
    const value = apart ? flags[i + 1] : /^--volume=(.*)$/.exec(flag)?.[1];
    const [, here, inside, mode] = BIND.exec(value ?? "") ?? [];
    if (here !== undefined && inside !== undefined) {
      folders.push({ here, inside, write: mode !== "ro" });
      if (apart) i++;
    } else rest.push(flag);
  }
  return { folders, rest };
}

/** Converts folders to flags; a folder without a name is omitted. */
export function writeFlags(folders: readonly Folder[], rest: readonly string[]): string[] {
  const given = folders.filter(({ here }) => here.trim() !== "");
  return [
    ...given.flatMap(({ here, inside, write }) => ["-v", `${here}:${inside.trim() || here}${write ? "" : ":ro"}`]),
    ...rest,
  ];
}
