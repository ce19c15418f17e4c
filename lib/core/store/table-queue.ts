import type { WriteQueue } from "./write-queue.ts";

/**
 * Returns a queue for a table that is changed only through it. A read of the table runs the queued writes only while
 * one of them is a write of this table. Otherwise each read would run the waiting writes of all tables at once, for
 * example when a thousand servers connect.
 */
export function tableQueue(queue: WriteQueue): Pick<WriteQueue, "put" | "flush" | "onRefused"> {
  let waiting = 0;
  const ended = () => {
    waiting--;
  };
  return {
    put(...write) {
      waiting++;
      const durable = queue.put(...write);
      durable.then(ended, ended);
      return durable;
    },
    flush() {
      if (waiting > 0) queue.flush();
    },
    onRefused: queue.onRefused,
  };
}
