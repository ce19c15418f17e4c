import { part } from "../../core/app.ts";
import { createEngine, type Engine } from "./container/engine.ts";
import { createIsolation } from "./create.ts";
import type { Isolation } from "./isolation.ts";

/** The container engine of this machine. */
export const containerEngine = part<Engine>("engine", ({ boot, clock, log }) =>
  createEngine({ clock, env: boot.env, dataDir: boot.ownDir, log: log.tagged("container") }),
);

/** Starts local servers isolated from the machine and from each other. */
export const serverIsolation = part<Isolation>("isolation", (app) => {
  const { config, boot, log } = app;
  return createIsolation({ config, engine: app.part(containerEngine), env: boot.env, log: log.tagged("isolation") });
});
