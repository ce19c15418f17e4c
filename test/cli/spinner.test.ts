import assert from "node:assert/strict";
import { test } from "node:test";
import type { Screen } from "#cli/output.ts";
import { spinner } from "#cli/spinner.ts";
import { handClock } from "#test/kit/clock.ts";

function terminal(more: Partial<Screen> = {}): Screen & { text: string } {
  return {
    text: "",
    color: false,
    columns: 40,
    write(text) {
      this.text += text;
    },
    ...more,
  };
}
/** What is seen of a text with carriage returns, line by line. */
function seen(text: string): string[] {
  return text.split("\n").map((line) => {
    const cells: string[] = [];
    for (const part of line.split("\r")) for (const [i, c] of [...part].entries()) cells[i] = c;
    return cells.join("").trimEnd();
  });
}

test("it turns beside what is said, with the seconds so far", async () => {
  const [screen, clock] = [terminal(), handClock()];
  const shown = spinner(screen, clock);

  shown.say("running, 12 calls");
  await clock.advance(1100);
  assert.deepEqual(seen(screen.text), ["⠋ running, 12 calls (1 s)"]);

  shown.say("running");
  await clock.advance(100);
  assert.deepEqual(seen(screen.text), ["⠙ running (1 s)"]);
  shown.stop();
});

test("lines that stay push it down, and it leaves nothing behind", async () => {
  const [screen, clock] = [terminal(), handClock()];
  const shown = spinner(screen, clock);
  shown.say("running");
  await clock.advance(100);

  shown.print("a line\n");
  await clock.advance(100);
  assert.deepEqual(seen(screen.text), ["a line", "⠙ running (0 s)"]);
  shown.stop();
  await clock.advance(500);

  assert.deepEqual(seen(screen.text), ["a line", ""]);
});

test("it fits the terminal, and what servers are called cannot steer it", async () => {
  const [screen, clock] = [terminal({ columns: 20 }), handClock()];
  const shown = spinner(screen, clock);

  shown.say(`last \x1b[2J${"x".repeat(50)}`);
  await clock.advance(100);

  assert.deepEqual(seen(screen.text), ["⠋ last �[2Jxxxxxxx…"]);
});

test("it is coloured only where that is wanted", async () => {
  const [bare, coloured, clock] = [terminal(), terminal({ color: true }), handClock()];
  spinner(bare, clock).say("x");
  spinner(coloured, clock).say("x");
  await clock.advance(100);

  assert.doesNotMatch(bare.text, /\x1b/);
  assert.match(coloured.text, /\x1b\[36m⠋\x1b\[39m x/);
});

test("where there is no terminal only lines that stay are written", async () => {
  const screen = { ...terminal(), columns: undefined } as unknown as Screen & { text: string };
  const clock = handClock();
  const shown = spinner(screen, clock);

  shown.say("running");
  await clock.advance(1000);
  shown.print("a line\n");
  shown.stop();

  assert.equal(screen.text, "a line\n");
});
