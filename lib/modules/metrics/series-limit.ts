/** The label values of one series. */
type Labels = Record<string, string>;

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
  /** Returns the labels of the series in which a call of this server is counted. */
  labelsOf(server: string, tool: string | undefined, more: Labels): Labels;
  /** Forgets a server. @returns the labels of its series, for their removal */
  forget(server: string): readonly Labels[];
}

export function createSeriesLimit(maxSeries = MAX_SERIES, maxServerSeries = MAX_SERVER_SERIES): SeriesLimit {
  const series = new Map<string, Map<string, Labels>>();
  let count = 0;

  const find = (server: string, tool: string | undefined, more: Labels): Labels | undefined => {
    const labels: Labels = { server, ...more, ...(tool !== undefined && { gen_ai_tool_name: tool }) };
    const key = JSON.stringify(labels);
    const known = series.get(server) ?? new Map<string, Labels>();
    const found = known.get(key);
    if (found) return found;
    // The series for all others are few, because the remaining labels have few values.
    const isOther = server === OTHER || tool === OTHER;
    if (!isOther && (count >= maxSeries || known.size >= maxServerSeries)) return undefined;
    if (isOther && server !== OTHER && count >= maxSeries) return undefined;
    known.set(key, labels);
    series.set(server, known);
    count++;
    return labels;
  };

  return {
    labelsOf(server, tool, more) {
      const other = tool === undefined ? undefined : OTHER;
      return find(server, tool, more) ?? find(server, other, more) ?? find(OTHER, other, more)!;
    },
    forget(server) {
      const removed = [...(series.get(server)?.values() ?? [])];
      series.delete(server);
      count -= removed.length;
      return removed;
    },
  };
}
