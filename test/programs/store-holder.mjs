// Tries to hold a data directory: node store-holder.mjs <store bundle> <dir> // Prints `held` and runs until it is
// killed or standard input ends, or prints the error code and ends.
import { createRequire } from "node:module";

const [bundle, dir] = process.argv.slice(2);
const { lockFolder } = createRequire(import.meta.url)(bundle);
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
try {
  await lockFolder(dir);
  process.stdout.write("held\n");
} catch (error) {
  process.stdout.write(`${error.code}\n`);
  process.exit(3);
}
