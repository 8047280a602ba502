// npm run check: types, lint and format, import directions, order of migrations, module state, links, unused code, licences of packages. All run at once, and each to its end.
// tsc caches its results in .cache/, so that a second run is faster.
import { checkImports } from "./check-imports.ts";
import { checkLinks } from "./check-links.ts";
import { checkMigrations } from "./check-migrations.ts";
import { checkModuleState } from "./check-module-state.ts";
import { checkPackages } from "./check-packages.ts";
import { runInOrder } from "./run-in-order.ts";

/** The commands of a lane run one after another: tsc reads the types of routes, which typegen writes. */
const lanes = [
	["react-router typegen", "tsc --incremental --tsBuildInfoFile .cache/tsc.json"],
	["biome ci --error-on-warnings ."],
	["knip"],
];

const failed = (await Promise.all(lanes.map((lane) => runInOrder(lane, { whole: true })))).flat();
const problems = [...failed, ...checkImports(), ...checkLinks(), ...checkMigrations(), ...checkModuleState(), ...checkPackages()];
for (const problem of problems) console.error(`✗ ${problem}`);
if (problems.length > 0) process.exit(1);
console.log("✓ types, lint, format, import directions, order of migrations, module state, links, unused code, licences");
