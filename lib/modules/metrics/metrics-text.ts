import { loopShare } from "../../core/base/loop-share.ts";
import { CLIENT_OPERATION, type Instruments } from "./instruments.ts";

/** Returns all metrics in the text format of Prometheus. Pauses between metrics, because their text may be long. */
export async function metricsText({ registry, clientOperations }: Instruments): Promise<string> {
  const pause = loopShare();
  const texts: string[] = [];
  for (const { name } of registry.getMetricsAsArray()) {
    texts.push(await registry.getSingleMetricAsString(name));
    await pause();
  }
  for (const [i, shard] of clientOperations.entries()) {
    const text = await shard.registry.getSingleMetricAsString(CLIENT_OPERATION);
    // The lines HELP and TYPE stand before the first series only.
    texts.push(i === 0 ? text : text.split("\n").slice(2).join("\n"));
    await pause();
  }
  return `${texts.filter((text) => text !== "").join("\n")}\n`;
}
