/** Processor time of `work` in milliseconds; unlike wall-clock time, it excludes other programs. */
export function effortMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
