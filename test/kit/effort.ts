/** Milliseconds of processor time that `work` takes; other programs on the machine do not count, as on a wall clock. */
export function effortMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
