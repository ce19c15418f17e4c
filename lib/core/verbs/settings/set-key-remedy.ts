import type { App } from "../../app.ts";
import { envVariables } from "../../config/env-overrides.ts";
import type { DoctorRemedy } from "../../schema/doctor-shapes.ts";

/**
 * Returns the remedy that sets a top-level key of the configuration. If an environment variable or flag overrides the
 * key, the remedy names that instead.
 */
export function setKeyRemedy({ config }: App, key: string, value: unknown, action: string): DoctorRemedy {
  if (Object.hasOwn(config.overrides(), key)) {
    const variable = envVariables().find(({ path }) => path.length === 1 && path[0] === key)?.name;
    return { action: `${action}: change ${variable ?? key} in the environment or on the command line of the proxy` };
  }
  const text = JSON.stringify(value);
  return {
    action,
    command: `proxy config set ${key} ${/^[\w.]+$/.test(text) ? text : `'${text}'`}`,
    route: "PATCH /api/v1/config",
    body: { [key]: value },
  };
}
