import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { scaledTimeout } from "../../test/time-limits.ts";
import { parseProgramArguments } from "./program-arguments.ts";

test.each([
	["", { role: "all", roleArguments: [] }],
	["--late", { role: "all", roleArguments: ["--late"] }],
	["web", { role: "web", roleArguments: [] }],
	["orders upload orders", { role: "orders", roleArguments: ["upload", "orders"] }],
	["--as=ada orders reconcile --late", { role: "orders", roleArguments: ["--as=ada", "reconcile", "--late"] }],
	["orders upload KB-7F3K-92QD -", { role: "orders", roleArguments: ["upload", "KB-7F3K-92QD", "-"] }],
	["companies:hide --reason text 552032534", { role: "companies:hide", roleArguments: ["--reason", "text", "552032534"] }],
])("parses « %s »", (typed, expected) => {
	expect(parseProgramArguments(typed.split(" ").filter(Boolean))).toEqual(expected);
});

test.each(["foo", "order", "--as ada orders", "toString"])(
	"main.ts refuses « %s » before it reads a setting",
	async (typed) => {
		const role = typed.startsWith("--as") ? "ada" : typed;
		// an invalid setting, which any known role would report instead
		const env = { PORT: "none" };
		const { code, stdout, stderr } = await run(["main.ts", ...typed.split(" ")], env);
		expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
		expect(stderr).toContain(
			`main.ts has no role « ${role} ». Its roles are: all, web, jobs, migrate, doctor, orders, accounts, desk, newsletter, companies:`,
		);
	},
	scaledTimeout(60_000),
);

const run = (args: string[], env: NodeJS.ProcessEnv) =>
	new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
		const child = execFile(process.execPath, args, { env }, (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }));
	});
