import { folder, runProgram, type Scope } from "./program.ts";

/** Creates a home folder. After the test, the proxy that runs there in the background is stopped, then it is removed. */
export function homeFolder(t: Scope): string {
  let remove: () => unknown = () => {};
  const home = folder({
    after(fn) {
      remove = fn;
    },
  });
  t.after(async () => {
    await runProgram({ after() {} }, ["down"], { HOME: home });
    remove();
  });
  return home;
}
