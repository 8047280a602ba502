import { expect, test } from "vitest";
import { resolveCommandPath } from "./command-path.ts";

const shop = "/srv/shop";
const npm = { INIT_CWD: "/home/ada/extraits", npm_package_json: "/srv/shop/package.json" };

test.each<[string, string, NodeJS.ProcessEnv, string]>([
	["from the folder where npm was started", shop, npm, "/home/ada/extraits/a.pdf"],
	["from the present folder without npm", shop, {}, "/srv/shop/a.pdf"],
	["from the present folder below an npm of another package", "/srv/other", npm, "/srv/other/a.pdf"],
	[
		"from the present folder where npm does not say where it was started",
		shop,
		{ npm_package_json: npm.npm_package_json },
		"/srv/shop/a.pdf",
	],
])("a file is meant %s", (_what, cwd, env, meant) => {
	expect(resolveCommandPath("a.pdf", { cwd, env })).toBe(meant);
	expect(resolveCommandPath("/tmp/a.pdf", { cwd, env })).toBe("/tmp/a.pdf");
});
