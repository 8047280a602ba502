// npm test: unit tests on real PostgreSQL, journeys in a real browser, and a small run of each bench. Ends with the failures and a line of counts.
// npm test -- <words>: only the unit tests whose path contains a word.
import { benchNames } from "../bench/names.ts";
import { createReportsFolder, printReports } from "../test/reports/report.ts";
import { runInOrder } from "./run-in-order.ts";

const words = process.argv.slice(2);
const smoke = (names: readonly string[]) => `node bench/run.ts ${names.join(" ")} --smoke --line`;

const reports = createReportsFolder();
// benches wait most of their time, « faults » more than all others together: they run beside the tests, which keep the processor busy
const everything = [["vitest run", "playwright test"], [smoke(["faults"])], [smoke(benchNames.filter((name) => name !== "faults"))]];
const lanes = words.length > 0 ? [["vitest run", ...words].join(" ")].map((line) => [line]) : everything;
const broken = (await Promise.all(lanes.map((lane) => runInOrder(lane)))).flat();
printReports(reports, broken);
process.exit(broken.length > 0 ? 1 : 0);
