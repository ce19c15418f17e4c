// @ts-check
/**
 * `node .ci/failed-files.mjs LOG`: prints the test files with failures, one per line, from what `npm test` has printed with
 * the TAP or the spec reporter. Prints nothing if a failure names no file, for then no selection of files repeats them all.
 */
import { readFileSync } from "node:fs";

/** A test file with a line number, as in a location or a stack; the text before it is greedy, so that the last `test/` counts. */
const PLACE = /(?:.*[/'( ])?(test\/[^:]*\.test)\.(?:ts|mjs):\d/;

/** Files that share a process are suites with their names. */
const SUITE = /^not ok \d+ - (test\/.*\.test\.ts)$/;

/** A process of several files that was ended; `npm test` prints its files after the report. */
const PROCESS = /^(?:not ok \d+ - |✖ ).*(tests-\d+\.mjs)/;

const report = readFileSync(process.argv[2] ?? "", "utf8").split("\n");
const files = [...failuresOfTap(report), ...failuresOfSpec(report)].flatMap(
  (lines) => filesOfProcess(lines) ?? fileOf(lines),
);
if (!files.includes(undefined)) for (const file of [...new Set(files)].sort()) console.log(file);

/**
 * The file of one failure: the suite's name, or else the first place in a test file, which is the test's own or, if a
 * function of test/kit declares the test, that of its caller in the stack.
 *
 * @param {readonly string[]} lines
 * @returns {string | undefined}
 */
function fileOf(lines) {
  const suite = SUITE.exec(lines[0] ?? "")?.[1];
  if (suite) return suite;
  const place = lines.map((line) => PLACE.exec(line)?.[1]).find((found) => found);
  return place && `${place}.ts`;
}

/**
 * The files of the process whose end is the failure, if it is one.
 *
 * @param {readonly string[]} lines
 * @returns {string[] | undefined}
 */
function filesOfProcess(lines) {
  const ended = lines.map((line) => PROCESS.exec(line)?.[1]).find((found) => found);
  const start = `# the files of ${ended}: `;
  const list = ended && report.find((line) => line.startsWith(start));
  return list ? list.slice(start.length).split(" ") : undefined;
}

/** The lines of each failed test at the top level. @param {readonly string[]} lines */
function failuresOfTap(lines) {
  const starts = lines.flatMap((line, i) => (/^(not )?ok \d/.test(line) ? [i] : []));
  return starts.map((start, i) => lines.slice(start, starts[i + 1])).filter(([first]) => first?.startsWith("not"));
}

/** The lines of each failed test in the list at the end. @param {readonly string[]} lines */
function failuresOfSpec(lines) {
  const list = lines.indexOf("✖ failing tests:");
  if (list < 0) return [];
  const starts = lines.flatMap((line, i) => (i > list && line.startsWith("test at ") ? [i] : []));
  return starts.map((start, i) => lines.slice(start, starts[i + 1]));
}
