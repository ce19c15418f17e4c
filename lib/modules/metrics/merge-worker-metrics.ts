import { loopShare } from "../../core/base/loop-share.ts";

/** Adds the label `worker` to each sample of a text, so that the metrics of workers can stand beside each other. */
export function labelWorker(text: string, worker: number): string {
  return text.replaceAll(/^([a-zA-Z_:][\w:]*)(\{|(?= ))/gm, (_, name: string, brace: string) =>
    brace === "{" ? `${name}{worker="${worker}",` : `${name}{worker="${worker}"}`,
  );
}

/** Merges the texts of several workers: the samples of one metric stand together, below one description. */
export async function mergeMetrics(texts: readonly string[]): Promise<string> {
  const heads = new Map<string, string>();
  const samples = new Map<string, string[]>();
  const pause = loopShare();
  for (const text of texts)
    for (const family of text.split(/^(?=# HELP )/m)) {
      await pause();
      const [, head, name, rest = ""] = /^(# HELP (\S+).*\n# TYPE .*\n)([\s\S]*)$/.exec(family) ?? [];
      if (head === undefined || name === undefined) continue;
      heads.set(name, head);
      const lines = samples.get(name) ?? [];
      samples.set(name, lines);
      lines.push(rest.endsWith("\n") || rest === "" ? rest : `${rest}\n`);
    }
  return [...heads].map(([name, head]) => head + samples.get(name)!.join("")).join("");
}
