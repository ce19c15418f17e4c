import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Finds a free port below the ephemeral range, so that no other program gets it by chance before it is used. For
 * programs that need a fixed port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const free = await new Promise<boolean>((done) => {
      const server = createServer();
      server.once("error", () => done(false));
      server.listen(port, "127.0.0.1", () => server.close(() => done(true)));
    });
    if (free) return port;
  }
}
