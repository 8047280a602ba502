// npm test: the first tier of the tests, for everybody. npm run test:rest: the second, with a smoke run of each bench. npm run test:all: both.
// With -- <words>: unit tests whose path contains a word, and journeys through what it names. Ends with the failures and a line of counts.
import { benchNames } from "../proof/bench/names.ts";
import { createReportsFolder, printReports } from "../test/reports/report.ts";
import { runInOrder } from "./run-in-order.ts";
import { listLeft, listTests, type Tier } from "./tiers.ts";

const tiersOf: Record<string, Tier[]> = { first: ["first"], rest: ["rest"], all: ["first", "rest"] };
const [name = "first", ...words] = process.argv.slice(2);
const tiers = tiersOf[name] ?? [];
const { units, browser } = listTests(tiers, words);
if (units.length + browser.length === 0) {
	console.error(`No test of npm run test:${name} has one of these words in its path: ${words.join(", ")}`);
	process.exit(1);
}

const smoke = (benches: readonly string[]) => `node proof/bench/run.ts ${benches.join(" ")} --smoke --line`;
/** Nothing runs beside these: they compare times with a baseline of the same run. */
const alone = ["journey", "search"];
/** It mostly waits for processes to start again, so it runs beside the other lane. */
const afterBrowser = ["faults"];
const others = benchNames.filter((bench) => ![...alone, ...afterBrowser].includes(bench));
const withBenches = tiers.includes("rest") && words.length === 0;

const reports = createReportsFolder();
// each lane waits now and then; together they keep both cores busy
const lanes = [
	[...(units.length > 0 ? [`vitest run ${units.join(" ")}`] : []), ...(withBenches ? [smoke(others)] : [])],
	[...(browser.length > 0 ? [`playwright test ${browser.join(" ")}`] : []), ...(withBenches ? [smoke(afterBrowser)] : [])],
];
const broken = (await Promise.all(lanes.map((lane) => runInOrder(lane)))).flat();
if (withBenches) broken.push(...(await runInOrder([smoke(alone)])));
printReports(reports, broken, tiers.includes("rest") ? [] : listLeft(words));
process.exit(broken.length > 0 ? 1 : 0);
