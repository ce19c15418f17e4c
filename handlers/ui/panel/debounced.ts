import { useEffect, useState } from "preact/hooks";

/** A value once it has stayed the same for a while: what a person types, when they pause. */
export function useDebounced<T>(value: T, afterMs = 160): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
}
