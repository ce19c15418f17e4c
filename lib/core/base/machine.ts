import { homedir } from "node:os";

/** Whose computer this is, as far as it decides where files lie. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The person's home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function machineOf(env: Machine["env"]): Machine {
  return { platform: process.platform, home: env.HOME || env.USERPROFILE || homedir(), env };
}
