import { homedir } from "node:os";

/** The facts about a computer that decide where programs keep their files. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns the facts about this computer. The home folder is that of the environment if it names one. */
export function machineOf(env: Machine["env"]): Machine {
  return { platform: process.platform, home: env.HOME || env.USERPROFILE || homedir(), env };
}
