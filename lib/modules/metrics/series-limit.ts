import type { Labels } from "./duration-histogram.ts";

/** Maximum number of series of one metric; further ones are counted under `OTHER`. */
const MAX_SERIES = 500;
/** Maximum number of series of one server, so that a server with many tools does not use up all of them. */
const MAX_SERVER_SERIES = 50;
/** The label value that stands for all further servers or tools. */
export const OTHER = "other";

/**
 * Limits the number of series of a metric whose labels contain names that servers choose. The names are admitted in the
 * order of their first use; those of a removed server make room for others.
 */
export interface SeriesLimit<T> {
  /**
   * Returns the series in which a call of this server is counted.
   *
   * @param tool undefined if tools are not distinguished
   */
  seriesOf(server: string, tool: string | undefined, method: string, errorType: string): T;
  /** Forgets a server. @returns its series, for their removal */
  forget(server: string): readonly T[];
}

interface SeriesLimitOptions<T> {
  /** Makes a series. @param sequence a number from 0, by which consecutive series are spread over several histograms */
  readonly open: (labels: Labels, sequence: number) => T;
  readonly maxSeries?: number;
  readonly maxServerSeries?: number;
}

export function createSeriesLimit<T>({
  open,
  maxSeries = MAX_SERIES,
  maxServerSeries = MAX_SERVER_SERIES,
}: SeriesLimitOptions<T>): SeriesLimit<T> {
  const servers = new Map<string, ServerSeries<T>>();
  let count = 0;
  let sequence = 0;

  const find = (server: string, tool: string | undefined, method: string, errorType: string): T | undefined => {
    const known = servers.get(server);
    const ofTool = known?.byTool.get(tool);
    if (ofTool) for (const one of ofTool) if (one.method === method && one.errorType === errorType) return one.series;
    // Of the series for all further servers there are few, because the remaining labels have few values. A server may
    // have the same name, and its tools have any.
    if (server !== OTHER || (tool !== undefined && tool !== OTHER)) {
      if (count >= maxSeries) return undefined;
      if (known && known.count >= maxServerSeries && tool !== OTHER) return undefined;
    }
    const labels = { server, mcp_method_name: method, error_type: errorType };
    const series = open(tool === undefined ? labels : { ...labels, gen_ai_tool_name: tool }, sequence++);
    const of = known ?? { byTool: new Map(), count: 0 };
    of.byTool.set(tool, [...(ofTool ?? []), { method, errorType, series }]);
    of.count++;
    if (!known) servers.set(server, of);
    count++;
    return series;
  };

  return {
    seriesOf(server, tool, method, errorType) {
      const found = find(server, tool, method, errorType);
      if (found) return found;
      const other = tool === undefined ? undefined : OTHER;
      return find(server, other, method, errorType) ?? find(OTHER, other, method, errorType)!;
    },
    forget(server) {
      const removed = [...(servers.get(server)?.byTool.values() ?? [])].flat();
      servers.delete(server);
      count -= removed.length;
      return removed.map(({ series }) => series);
    },
  };
}

/** The series of one server. A call finds its own without making a text of all labels. */
interface ServerSeries<T> {
  readonly byTool: Map<string | undefined, readonly ToolSeries<T>[]>;
  count: number;
}

interface ToolSeries<T> {
  readonly method: string;
  readonly errorType: string;
  readonly series: T;
}
