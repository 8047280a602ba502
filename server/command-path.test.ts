import { expect, test } from "vitest";
import { resolveCommandPath } from "./command-path.ts";

const shop = "/srv/shop";
const npm = { INIT_CWD: "/home/ada/extraits", npm_package_json: "/srv/shop/package.json" };

test.each<[string, string, NodeJS.ProcessEnv, string]>([
	["in the folder where npm was started", shop, npm, "/home/ada/extraits/a.pdf"],
	["in the current folder without npm", shop, {}, "/srv/shop/a.pdf"],
	["in the current folder when npm runs another package", "/srv/other", npm, "/srv/other/a.pdf"],
	["in the current folder when npm does not set INIT_CWD", shop, { npm_package_json: npm.npm_package_json }, "/srv/shop/a.pdf"],
])("a file name is resolved %s", (_name, cwd, env, path) => {
	expect(resolveCommandPath("a.pdf", { cwd, env })).toBe(path);
	expect(resolveCommandPath("/tmp/a.pdf", { cwd, env })).toBe("/tmp/a.pdf");
});
