import type { Logger } from "../log/log.ts";
import { get, page, walk } from "./activity-read.ts";
import { createRoom } from "./activity-room.ts";
import { INSERT_HEAD, INSERT_PAYLOAD, toRows } from "./activity-row.ts";
import { sweepActivity } from "./activity-sweep.ts";
import { tally } from "./activity-tally.ts";
import type { Connection } from "./connection.ts";
import type { Queue } from "./queue.ts";
import type { Row, SqlInput } from "./sqlite/types.ts";
import type { ActivityStore } from "./store.ts";

export function createActivity(connection: Connection, queue: Queue, log: Logger): ActivityStore {
  const room = createRoom(log);
  const all = (sql: string, ...inputs: SqlInput[]): Row[] => {
    queue.flush();
    return connection.read(() => connection.prepare(sql).all(...inputs));
  };

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
    page: (filter, limit, offset) => page(all, filter, limit, offset),
    walk: (filter) => walk(all, filter),
    tally: (filter, by) => tally(all, filter, by),
    get: (id) => get(all, id),
    sweep: (before, maxRecords, { maxBytes = 0, signal } = {}) =>
      sweepActivity(connection, queue, { before, maxRecords, maxBytes }, signal),
  };
}
