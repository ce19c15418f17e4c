import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { type CallRatios, measureCalls, SHORT } from "./calls.ts";
import STORED from "./stored-ratios.json" with { type: "json" };

/** A loss above this is a failure. Other work on the machine changes the calls per second more than processor time. */
const MAX_LOSS = { cpu: 0.15, calls: 0.35 };

/**
 * Compares the cost of a call with the stored one, in less than a minute: `npm run bench -- short`. Both are ratios to
 * the byte relay in the same run, so that the speed of the machine does not matter. A loss is measured once more before
 * it fails, because other work on the machine can look like one. `--save` stores the ratios of this run.
 */
export async function benchShort(): Promise<{ measured: object; stored: typeof STORED; failed: string[] }> {
  const node = execFileSync(process.execPath, ["build/bare-node.mjs"], { encoding: "utf8" }).trim();
  const once = async () => {
    const { proxy, ...others } = (await measureCalls(node, SHORT)).http;
    if (others.before) console.error("before:", JSON.stringify(others.before));
    return proxy!;
  };
  let measured = await once();
  if (losses(measured).length > 0 && !process.argv.includes("--save")) {
    console.error("short: measured once more, because of", losses(measured).join(", "));
    measured = await once();
  }
  const ratios = { calls: measured.calls[16], cpu: measured.cpu[16] };
  if (process.argv.includes("--save")) {
    writeFileSync("test/bench/stored-ratios.json", `${JSON.stringify(ratios)}\n`);
    return { measured: ratios, stored: STORED, failed: [] };
  }
  const failed = losses(measured);
  if (failed.length > 0) process.exitCode = 1;
  return { measured: ratios, stored: STORED, failed };
}

function losses({ calls, cpu }: CallRatios): string[] {
  return [
    ...(calls[16]! < STORED.calls * (1 - MAX_LOSS.calls)
      ? [`calls per second: ${calls[16]} of the relay's, stored ${STORED.calls}`]
      : []),
    ...(cpu[16]! > STORED.cpu * (1 + MAX_LOSS.cpu)
      ? [`processor time: ${cpu[16]} × the relay's, stored ${STORED.cpu}`]
      : []),
  ];
}
