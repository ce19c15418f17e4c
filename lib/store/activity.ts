import type { Logger } from "../log/log.ts";
import { activityCondition, type Condition } from "./activity-filter.ts";
import { createRoom } from "./activity-room.ts";
import { fromRow, INSERT_HEAD, INSERT_PAYLOAD, RECORD, toRows } from "./activity-row.ts";
import { sweepActivity } from "./activity-sweep.ts";
import type { Connection } from "./connection.ts";
import type { Queue } from "./queue.ts";
import type { Row, SqlInput } from "./sqlite/types.ts";
import type { ActivityStore } from "./store.ts";

/** Nobody pages beyond; counting stops there. */
const COUNTED = 100_000;
const WALK_SLICE = 200;

export function createActivity(connection: Connection, queue: Queue, log: Logger): ActivityStore {
  const room = createRoom(log);
  const all = (sql: string, ...inputs: SqlInput[]): Row[] => {
    queue.flush();
    return connection.read(() => connection.prepare(sql).all(...inputs));
  };
  const records = ({ sql, inputs }: Condition, limit: number, offset: number) =>
    // The places first and then the records: an offset reads no payloads.
    all(
      `select ${RECORD} from (select seq from activity where ${sql} order by at desc, seq desc limit ? offset ?) as found
       join activity using (seq) left join activity_payload using (seq) order by at desc, activity.seq desc`,
      ...inputs,
      limit,
      offset,
    );

  return {
    async add(record) {
      const { head, payload, size } = toRows(record);
      room.enter(size);
      try {
        await queue.put("soon", () => {
          const { changes } = connection.prepare(INSERT_HEAD).run(...head);
          if (changes && payload) connection.prepare(INSERT_PAYLOAD).run(...payload);
        });
      } finally {
        room.leave(size);
      }
    },
    page(filter, limit, offset) {
      const condition = activityCondition(filter);
      const counted = all(
        `select count(*) as n from (select 1 from activity where ${condition.sql} limit ${COUNTED})`,
        ...condition.inputs,
      );
      return { records: records(condition, limit, offset).map(fromRow), total: counted[0]!.n as number };
    },
    async *walk(filter) {
      const { sql, inputs } = activityCondition(filter);
      let rows = records({ sql, inputs }, WALK_SLICE, 0);
      while (rows.length > 0) {
        yield* rows.map(fromRow);
        const { at, seq } = rows.at(-1)!;
        await new Promise((done) => setImmediate(done));
        rows = records({ sql: `${sql} and (at, seq) < (?, ?)`, inputs: [...inputs, at!, seq!] }, WALK_SLICE, 0);
      }
    },
    get(id) {
      const [row] = all(`select ${RECORD} from activity left join activity_payload using (seq) where id = ?`, id);
      return row && fromRow(row);
    },
    sweep: (before, maxRecords) => sweepActivity(connection, queue, before, maxRecords),
  };
}
