// « No mutable module state » (docs/architecture.md, « Rules »), as part of npm run check.
import { type Expression, parseSync, type Statement, Visitor } from "oxc-parser";
import { isProduction, readSources, type SourceFile } from "./check-imports.ts";

/** Accepted variables, with the reason. */
const accepted: Record<string, string> = {
	"app/ui/use-hydrated.ts page": "a browser starts one page, once; the server never changes it",
	"server/database/primary.ts primaries": "worker threads get connections as plain data, which cannot hold the state of the hosts",
};

const mutators = new Set([
	"add",
	"clear",
	"copyWithin",
	"delete",
	"fill",
	"pop",
	"push",
	"reverse",
	"set",
	"shift",
	"sort",
	"splice",
	"unshift",
]);

/** @returns a sentence for each module variable that changes after the module was loaded. */
export function checkModuleState(files: readonly SourceFile[] = readSources()): string[] {
	const found = files
		.filter(({ path }) => /^(app|server)\//.test(path) && isProduction(path))
		.flatMap(({ path, text }) => listMutableNames(path, text).map((name) => `${path} ${name}`));
	const unneeded = files.length > 1 ? Object.keys(accepted).filter((name) => !found.includes(name)) : [];
	return [
		...found
			.filter((name) => !(name in accepted))
			.map((name) => `${name} is mutable module state: pass it through the object that owns it`),
		...unneeded.map((name) => `${name} is accepted in scripts/check-module-state.ts, but is no longer module state`),
	];
}

/** Names at the top of a module that are not constant: `let`, and objects that a function of the module changes. */
function listMutableNames(path: string, text: string): string[] {
	const { program } = parseSync(path, text);
	const declared = program.body.flatMap((statement) => listDeclarations(statement as Statement));
	const names = new Set(declared.map(({ name }) => name));
	const changed = new Set(declared.filter(({ kind }) => kind !== "const").map(({ name }) => name));
	const addChanged = (expression: Expression | { type: string }) => {
		const root = getRoot(expression);
		if (root !== null && names.has(root)) changed.add(root);
	};
	new Visitor({
		AssignmentExpression: ({ left }) => left.type === "MemberExpression" && addChanged(left),
		UpdateExpression: ({ argument }) => argument.type === "MemberExpression" && addChanged(argument),
		UnaryExpression: ({ operator, argument }) => operator === "delete" && addChanged(argument),
		CallExpression({ callee, arguments: [first] }) {
			if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
			if (mutators.has(callee.property.name)) addChanged(callee.object);
			if (callee.property.name === "assign" && first !== undefined) addChanged(first);
		},
	}).visit(program);
	return [...changed];
}

function listDeclarations(statement: Statement): { kind: string; name: string }[] {
	const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
	if (declaration?.type !== "VariableDeclaration" || declaration.declare) return [];
	const { kind, declarations } = declaration;
	return declarations.flatMap(({ id }) => (id.type === "Identifier" ? [{ kind, name: id.name }] : []));
}

/** The variable at the left end of `a.b.c`. */
function getRoot(expression: { type: string }): string | null {
	const { type, name, object } = expression as { type: string; name?: string; object?: { type: string } };
	if (type === "Identifier") return name ?? null;
	return type === "MemberExpression" && object ? getRoot(object) : null;
}
