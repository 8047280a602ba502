// npm test: unit tests on real PostgreSQL, journeys in a real browser, and a small run of each bench. Ends with the failures and a line of counts.
// npm test -- <words>: only the unit tests whose path contains a word.
import { benchNames } from "../bench/names.ts";
import { createReportsFolder, printReports } from "../test/reports/report.ts";
import { runInOrder } from "./run-in-order.ts";

const words = process.argv.slice(2);
const smoke = (names: readonly string[]) => `node bench/run.ts ${names.join(" ")} --smoke --line`;
/** Nothing runs beside these: they compare times with a baseline of the same run, or kill processes while they start. */
const alone = ["faults", "journey", "search"];
const counting = benchNames.filter((name) => !alone.includes(name));

const reports = createReportsFolder();
// each lane waits now and then; together they use both cores all the time
const everything = [["vitest run"], ["playwright test", smoke(counting)]];
const lanes = words.length > 0 ? [[["vitest run", ...words].join(" ")]] : everything;
const broken = (await Promise.all(lanes.map((lane) => runInOrder(lane)))).flat();
if (words.length === 0) broken.push(...(await runInOrder([smoke(alone)])));
printReports(reports, broken);
process.exit(broken.length > 0 ? 1 : 0);
