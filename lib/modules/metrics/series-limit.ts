/** The label values of one series. */
type Labels = Record<string, string>;

/** One series of a limited metric. */
interface Series {
  readonly labels: Labels;
  /** A number from 0, different for consecutive series, by which they are spread over several histograms. */
  readonly sequence: number;
}

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
export interface SeriesLimit {
  /**
   * Returns the series in which a call of this server is counted.
   *
   * @param tool undefined if tools are not distinguished
   */
  seriesOf(server: string, tool: string | undefined, method: string, errorType: string): Series;
  /** Forgets a server. @returns its series, for their removal */
  forget(server: string): readonly Series[];
}

export function createSeriesLimit(maxSeries = MAX_SERIES, maxServerSeries = MAX_SERVER_SERIES): SeriesLimit {
  const servers = new Map<string, Map<string, Series>>();
  let count = 0;
  let sequence = 0;

  const find = (server: string, tool: string | undefined, method: string, errorType: string): Series | undefined => {
    // No method and no error contains a line break, so no two series have the same key.
    const key = `${method}\n${errorType}\n${tool}`;
    const known = servers.get(server);
    const found = known?.get(key);
    if (found) return found;
    // Of the series for all further servers there are few, because the remaining labels have few values.
    if (server !== OTHER) {
      if (count >= maxSeries) return undefined;
      if (known && known.size >= maxServerSeries && tool !== OTHER) return undefined;
    }
    const labels: Labels = { server, mcp_method_name: method, error_type: errorType };
    if (tool !== undefined) labels.gen_ai_tool_name = tool;
    const series = { labels, sequence: sequence++ };
    if (known) known.set(key, series);
    else servers.set(server, new Map([[key, series]]));
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
      const removed = [...(servers.get(server)?.values() ?? [])];
      servers.delete(server);
      count -= removed.length;
      return removed;
    },
  };
}
