/** Returns a function that returns the time as in the header `Date`; it makes the text once in a second. */
export function createHttpDate(): () => string {
  let second = 0;
  let text = "";
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      text = new Date(now * 1000).toUTCString();
    }
    return text;
  };
}
