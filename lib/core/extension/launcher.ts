import { part } from "../app.ts";
import { type Launcher, plainLauncher } from "../upstream/launcher.ts";

/** Starts servers that have a command: as plain processes by default, isolated if a module provides that. */
export const launcher = part<Launcher>("launcher", () => plainLauncher);
