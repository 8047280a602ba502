import { expect, test } from "vitest";
import { parseProgramArguments } from "./program-arguments.ts";

test.each([
	["", { role: "all", roleArguments: [], dev: false }],
	["--dev", { role: "all", roleArguments: ["--dev"], dev: true }],
	["web", { role: "web", roleArguments: [], dev: false }],
	["orders show orders", { role: "orders", roleArguments: ["show", "orders"], dev: false }],
	["--as=ada orders list --late", { role: "orders", roleArguments: ["--as=ada", "list", "--late"], dev: false }],
	["orders upload KB-7F3K-92QD -", { role: "orders", roleArguments: ["upload", "KB-7F3K-92QD", "-"], dev: false }],
	["companies:hide --reason text 552032534", { role: "companies:hide", roleArguments: ["--reason", "text", "552032534"], dev: false }],
])("« %s »", (typed, expected) => {
	expect(parseProgramArguments(typed.split(" ").filter(Boolean))).toEqual(expected);
});
