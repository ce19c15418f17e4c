import { after, describe, test } from "node:test";
// Its hook runs after the last file if it is loaded before the first.
import "./at-end.ts";

/**
 * Runs test files in one process, one after the other. Each is a suite, so that its hooks are its own and a failure names
 * it.
 *
 * @param files their modules' URLs, by the paths of their sources
 */
export async function runFiles(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, url] of Object.entries(files)) {
    const ended = new Promise<void>((done) => {
      void describe(path, async () => {
        after(() => done());
        try {
          await import(url);
        } catch (error) {
          test("the file can be loaded", () => {
            throw error;
          });
        }
      });
    });
    await ended;
  }
}
