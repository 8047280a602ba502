// Builds the shop with the framework, then compresses each static file.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

rmSync("build", { recursive: true, force: true, maxRetries: 3 }); // retries, because an ending command may write its compile cache
const { status } = spawnSync("react-router", ["build"], {
	stdio: ["inherit", "ignore", "inherit"],
	env: { ...process.env, NODE_ENV: "production" },
	shell: process.platform === "win32",
});
if (status !== 0) process.exit(status ?? 1);

// the list of all routes: pages name their own scripts, and the desk's are nobody's business
for (const entry of readdirSync("build/client/assets")) if (/^manifest-/.test(entry)) rmSync(join("build/client/assets", entry));

for (const entry of readdirSync("build/client", { recursive: true, withFileTypes: true })) {
	if (!entry.isFile() || !/\.(js|css|svg|txt|json|webmanifest|ico)$/.test(entry.name)) continue;
	const file = join(entry.parentPath, entry.name);
	const bytes = readFileSync(file);
	writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
	writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}
writeFileSync("build/complete", new Date().toISOString()); // an interrupted build lacks this file and is repeated
