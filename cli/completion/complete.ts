import { completeNames } from "./complete-names.ts";

/**
 * Prints the names for `proxy __complete <kind> <word> <line…>`, one a line. A shell waits for them, so the executable
 * and the npm package run this file by itself, without loading the program (`build/loader.cts`).
 */
completeNames(process.argv.slice(3), process.env).then((names) =>
  process.stdout.write(names.map((name) => `${name}\n`).join(""), () => process.exit()),
);
