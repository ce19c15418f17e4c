/** Waits for real work outside the program, such as the disk; fails after thirty seconds with the description. */
export async function until(
  what: string,
  done: () => boolean | Promise<boolean>,
  step?: () => Promise<void>,
): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await done())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await step?.();
    await new Promise((go) => setTimeout(go, 5));
  }
}
