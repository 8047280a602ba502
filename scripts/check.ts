// npm run check: types, lint and format, import directions, module state, unused code, licences of packages. All are run; the first that fails does not hide the others.
import { spawnSync } from "node:child_process";
import { checkImports } from "./check-imports.ts";
import { checkModuleState } from "./check-module-state.ts";
import { checkPackages } from "./check-packages.ts";

const commands = [["react-router", "typegen"], ["tsc"], ["biome", "ci", "--error-on-warnings", "."], ["knip"]] as const;

let failed = false;
for (const [command, ...args] of commands) {
	const { status } = spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" });
	if (status !== 0) {
		console.error(`✗ ${[command, ...args].join(" ")}`);
		failed = true;
	}
}
const wrong = [...checkImports(), ...checkModuleState(), ...checkPackages()];
for (const sentence of wrong) console.error(`✗ ${sentence}`);
if (failed || wrong.length > 0) process.exit(1);
console.log("✓ types, lint, format, import directions, module state, unused code, licences");
