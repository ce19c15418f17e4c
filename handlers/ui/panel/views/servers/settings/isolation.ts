/** What a server's `isolation` says, apart from how it is drawn. */
export type Isolation = Readonly<Record<string, unknown>>;

export const HOW = ["general", "docker", "sandbox", "none"] as const;
export type How = (typeof HOW)[number];
/** What a server is kept in. */
export type Place = Exclude<How, "general">;

/** What the server's own settings ask for; `general` leaves it to the configuration. */
export function howOf({ enabled_override: on, enabled, mode }: Isolation): How {
  const own = on ?? enabled;
  if (own === false || mode === "none") return "none";
  if (own === undefined && mode === undefined) return "general";
  return mode === "sandbox" ? "sandbox" : "docker";
}

/** What the configuration keeps servers in that say nothing themselves. */
export function generalOf({ enabled, mode }: { enabled: boolean; mode: string }): Place {
  if (!enabled || mode === "none") return "none";
  return mode === "sandbox" ? "sandbox" : "docker";
}

/** The same settings with another place; the older word for the switch goes. */
export function placed({ enabled_override: _, enabled: __, mode: ___, ...rest }: Isolation, how: How): Isolation {
  if (how === "general") return rest;
  return how === "none" ? { ...rest, enabled_override: false } : { ...rest, enabled_override: true, mode: how };
}

/** With one member set; an empty one is left out. */
export function withMember(own: Isolation, name: string, value: unknown): Isolation {
  const { [name]: _, ...rest } = own;
  const empty = value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  return empty ? rest : { ...rest, [name]: value };
}

/** A folder of this machine that the server is given. */
export interface Folder {
  here: string;
  /** Where it stands inside the container. */
  inside: string;
  write: boolean;
}

const FLAG = /^(?:-v|--volume)$/;
const BIND = /^([^:]+):(\/[^:]*)(?::(ro|rw))?$/;

/** The folders among flags of `docker run`, and the flags that are none. */
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

/** As the flags they are kept as; a folder that is not named yet is left out. */
export function writeFlags(folders: readonly Folder[], rest: readonly string[]): string[] {
  const given = folders.filter(({ here }) => here.trim() !== "");
  return [
    ...given.flatMap(({ here, inside, write }) => ["-v", `${here}:${inside.trim() || here}${write ? "" : ":ro"}`]),
    ...rest,
  ];
}
