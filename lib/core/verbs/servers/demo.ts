import type { ServerConfig } from "../../config/config-keys.ts";

/** Returns the command of the demo server, which is this program. @param self command line that starts this program */
export const demoCommand = (self: readonly string[]): readonly string[] => [...self, "demo-server"];

/** True if a server is the demo server, under any name. @param self command line that starts this program */
export function isDemoServer(
  { command = "", args = [] }: Pick<ServerConfig, "command" | "args">,
  self: readonly string[],
): boolean {
  const [line, own] = [[command, ...args], demoCommand(self)];
  return self.length > 0 && line.length === own.length && own.every((word, at) => line[at] === word);
}
