import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { inflate } from "@sparticuz/chromium";

/** The options that Playwright and Lighthouse need to launch it. */
export interface Chromium {
	executablePath: string;
	args: string[];
	env: Record<string, string>;
}

/**
 * Unpacks the Chromium that `npm ci` installed, with its libraries and fonts, once into .cache/. Several processes may call this at once.
 * @param browser another browser to use instead; needed where the package has none (macOS, Windows, arm64).
 */
export async function chromium(browser?: string): Promise<Chromium> {
	const args = ["--no-sandbox", "--disable-dev-shm-usage", "--font-render-hinting=none"];
	if (browser) return { executablePath: browser, args, env: {} };
	const packed = dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")));
	const { version } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8")) as { version: string };
	const cache = join(packed, "../../../.cache");
	const folder = join(cache, `chromium-${version}`);
	if (!existsSync(folder)) await unpack(join(packed, "bin"), cache, folder);
	return {
		executablePath: join(folder, "chromium"),
		args,
		env: { LD_LIBRARY_PATH: join(folder, "al2023/lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") },
	};
}

async function unpack(from: string, cache: string, folder: string): Promise<void> {
	mkdirSync(cache, { recursive: true });
	const staging = mkdtempSync(join(cache, "unpacking-"));
	// inflate() writes into the shared temporary folder of the system, so set another one meanwhile
	const { TMPDIR } = process.env;
	process.env.TMPDIR = staging;
	try {
		for (const file of ["chromium.br", "al2023.tar.br", "fonts.tar.br"]) await inflate(join(from, file));
	} finally {
		if (TMPDIR === undefined) delete process.env.TMPDIR;
		else process.env.TMPDIR = TMPDIR;
	}
	writeFileSync(
		join(staging, "fonts.conf"),
		`<fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>`,
	);
	try {
		renameSync(staging, folder);
	} catch {
		rmSync(staging, { recursive: true, force: true }); // another process was faster
	}
}
