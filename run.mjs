// node run.mjs [--build] file.ts …
// Prepares a fresh clone (npm ci, build) and runs a file on the Node that npm installed.
// Runs on any Node >= 18, without dependencies or TypeScript.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
const newest = (path) => {
	if (!existsSync(path)) return 0;
	if (!statSync(path).isDirectory()) return modified(path);
	return Math.max(modified(path), ...readdirSync(path).map((name) => newest(`${path}/${name}`)));
};

const shell = process.platform === "win32";
const env = {
	...process.env,
	PATH: resolve("node_modules/.bin") + delimiter + process.env.PATH,
	// the compile cache halves the start of each command; a new build empties it
	NODE_COMPILE_CACHE: resolve("build/compile-cache"),
};
/** On standard error: standard output is the program's own, as in `npm run --silent sbom > sbom.json`. */
const prepare = (what, command, args) => {
	console.error(what);
	const { status } = spawnSync(command, args, { stdio: ["inherit", 2, "inherit"], shell, env });
	if (status !== 0) process.exit(status ?? 1);
};

const build = process.argv[2] === "--build";
const argv = process.argv.slice(build ? 3 : 2);

if (modified("node_modules/.package-lock.json") < modified("package-lock.json")) {
	// --include: NODE_ENV=production or a user's own .npmrc would otherwise drop Vite or Node itself
	const options = ["--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
	prepare("Installing the dependencies…", "npm", ["ci", ...options]);
}
const sources = ["app", "server", "public", "package-lock.json", "vite.config.ts", "react-router.config.ts", "scripts/find-bundled.ts"];
if (build && modified("build/complete") < Math.max(...sources.map(newest))) {
	prepare("Building the shop…", "node", ["scripts/build.ts"]);
}

const child = spawn("node", argv, { stdio: "inherit", shell, env });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// npm signals only its sh, and dash does not forward the signal: this detects the end of the parent process
const parent = process.ppid;
const watching = setInterval(() => {
	if (process.ppid === parent) return;
	clearInterval(watching); // a second SIGTERM would end the drain
	child.kill("SIGTERM");
}, 200).unref();
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
