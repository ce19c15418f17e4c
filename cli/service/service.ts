/** A command with its arguments. */
export type Argv = readonly [command: string, ...args: string[]];

/** How the system's service manager runs the proxy for this user. */
export interface Service {
  /** The name in the service manager. */
  name: string;
  manager: "systemd" | "launchd" | "task scheduler";
  /** The file that describes the service; absent if the manager keeps the description itself. */
  file?: { path: string; text: string };
  install: readonly Argv[];
  uninstall: readonly Argv[];
  start: Argv;
  stop: Argv;
  /** Succeeds if the service runs. */
  isActive: Argv;
  /** What the person should know after the installation. */
  note?: string;
}

/** What a service runs, and for whom. */
export interface ServiceWish {
  name: string;
  /** The program and its arguments. */
  command: Argv;
  home: string;
  /** Directories of programs, because service managers start with a short list. */
  path: string;
  uid: number;
  /** `XDG_CONFIG_HOME`. */
  configHome: string | undefined;
}
