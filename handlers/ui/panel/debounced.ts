import { useEffect, useState } from "preact/hooks";

/** A value after it was unchanged for a while, such as typed text after a pause. */
export function useDebounced<T>(value: T, afterMs = 160): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
}
