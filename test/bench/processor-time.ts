import { readdirSync, readFileSync } from "node:fs";

/** Processor time of a process, of all its threads (µs). `/proc/PID/stat` would count in steps of 10 ms. */
export function processorTimeUs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadTimeUs(pid, thread), 0);
}

function threadTimeUs(pid: number, thread: string): number {
  const [runNs] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
  return Number(runNs) / 1000;
}
