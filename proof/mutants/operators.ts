import { parseSync } from "vite";

/** A small bug: `was`, from `start` to `end` of a file's text, becomes `became`. */
export interface Mutant {
	kind: string;
	start: number;
	end: number;
	was: string;
	became: string;
}

/** A node of the ESTree that Vite's parser makes, with TypeScript's own nodes: https://github.com/estree/estree. */
interface Node {
	type: string;
	start: number;
	end: number;
	[key: string]: unknown;
}

interface Place {
	parent: Node;
	text: (node: Node) => string;
	/** Names elsewhere in the file, which a bug may confuse. */
	file: FileWords;
}

interface FileWords {
	/** The members of each imported thing that the file names: `retention` → `orders`, `logs`. */
	members: Map<string, Set<string>>;
	/** The words in the lists of each name: `from` → `"pending"`, `"paid"`. */
	lists: Map<string, Set<string>>;
}

type Operator = (node: Node, place: Place) => [kind: string, became: string][];

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && typeof (value as Node).type === "string";
const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

const swaps = new Map([
	["<", "<="],
	["<=", "<"],
	[">", ">="],
	[">=", ">"],
	["===", "!=="],
	["!==", "==="],
	["+", "-"],
	["-", "+"],
]);

/** Methods whose call can be left out: the value stays of the same type. */
const droppable = new Set(
	(
		"where whereRef having limit offset orderBy groupBy distinct distinctOn onConflict forUpdate forNoKeyUpdate forShare forKeyShare skipLocked noWait $if " +
		"trim trimEnd toLowerCase toUpperCase normalize replace replaceAll slice filter sort toSorted reverse toReversed flat " +
		"min max length regex refine optional catch strict"
	).split(" "),
);

/** Methods that are easily confused. */
const confusable = new Map([
	["some", "every"],
	["every", "some"],
	["min", "max"],
	["max", "min"],
	["ceil", "floor"],
	["floor", "ceil"],
	["startsWith", "includes"],
	["endsWith", "includes"],
]);

/** Operators of the query builder, written as strings. */
const queryWords = new Map([
	["<", "<="],
	["<=", "<"],
	[">", ">="],
	[">=", ">"],
	["=", "!="],
	["!=", "="],
	["is", "is not"],
	["is not", "is"],
	["in", "not in"],
	["not in", "in"],
	["asc", "desc"],
	["desc", "asc"],
	["Europe/Paris", "UTC"],
]);

/** Bugs in handwritten SQL. */
const sqlBugs: [kind: string, was: RegExp, became: string][] = [
	["dropped lock", /\s+for (no key )?update( of \w+)?( skip locked)?/gi, ""],
	["dropped lock", /pg_(try_)?advisory_(xact_)?lock\(/gi, "pg_$1advisory_$2lock_shared("],
	["dropped condition", /\n\s*and [^\n]*(?=\n)/gi, ""],
	["dropped condition", / and (?!\d)[^\n()`$]*?(?=[\n`)]| and | order | group | for )/gi, ""],
	["dropped conflict clause", /\s+on conflict[^\n`]*do nothing/gi, ""],
	["boundary", /(?<= )<=(?= )/g, "<"],
	["boundary", /(?<= )>=(?= )/g, ">"],
	["boundary", /(?<= )<(?= )/g, "<="],
	["boundary", /(?<= )>(?= )/g, ">="],
	["wrong condition", /is not null/gi, "is null"],
	["wrong condition", /is null/gi, "is not null"],
	["wrong order", /\bdesc\b/gi, "asc"],
	["dropped limit", /\s+limit \d+/gi, ""],
];

const operators: Operator[] = [
	function comparisons(node, { text }) {
		const became = node.type === "BinaryExpression" && swaps.get(node.operator as string);
		const [left, right] = [node.left as Node, node.right as Node];
		if (!became || (node.operator === "+" && [left, right].some(isText))) return [];
		const kind = /^[<>]/.test(became) ? "boundary" : /^[=!]/.test(became) ? "wrong condition" : "wrong sign";
		return [[kind, `${text(left)} ${became} ${text(right)}`]];
	},
	function conditions(node, { text }) {
		if (node.type !== "LogicalExpression") return [];
		const [left, right] = [text(node.left as Node), text(node.right as Node)];
		if (node.operator === "??") return [["dropped default", left]];
		return [
			["dropped condition", left],
			["dropped condition", right],
		];
	},
	function negations(node, { text }) {
		return node.type === "UnaryExpression" && node.operator === "!" ? [["wrong condition", text(node.argument as Node)]] : [];
	},
	function branches(node, { parent }) {
		if (parent.test !== node) return [];
		if (parent.type === "ConditionalExpression")
			return [
				["wrong condition", "true"],
				["wrong condition", "false"],
			];
		return parent.type === "IfStatement" ? [["dropped guard", "false"]] : [];
	},
	function statements(node, { parent, text }) {
		const call = node.type === "AwaitExpression" ? (node.argument as Node) : node;
		if (parent.type !== "ExpressionStatement" || call.type !== "CallExpression" || isOutput.test(text(call))) return [];
		return [["dropped statement", "undefined"]];
	},
	function calls(node, { text }) {
		if (node.type !== "CallExpression") return [];
		const callee = node.callee as Node;
		if (callee.type !== "MemberExpression" || callee.optional || callee.computed) return [];
		const object = callee.object as Node;
		const name = (callee.property as Node).name as string;
		const found: [string, string][] = [];
		if (droppable.has(name) && text(object) !== "Math") found.push([`dropped ${name}`, text(object)]);
		const other = confusable.get(name);
		const given = nodes(node.arguments).map(text).join(", ");
		if (other && (object.name === "Math" || !droppable.has(name))) found.push(["wrong method", `${text(object)}.${other}(${given})`]);
		if (name === "at" && given === "-1") found.push(["wrong index", `${text(object)}.at(0)`]);
		if (name === "toZonedDateTimeISO" && given !== '"UTC"') found.push(["wrong time zone", `${text(object)}.toZonedDateTimeISO("UTC")`]);
		return found;
	},
	function elements(node, { text, parent }) {
		const all = nodes(node.elements);
		// table rows, query values and long lists are data, whose length is no rule
		const isList =
			node.type === "ArrayExpression" && !["ArrayExpression", "CallExpression"].includes(parent.type) && all.length <= maxListLength;
		const isAwaited = parent.type === "CallExpression" && text(parent.callee as Node).startsWith("Promise.all");
		if (!isList && !isAwaited) return [];
		return all.map((dropped) => [
			"dropped element",
			`[${all
				.filter((element) => element !== dropped)
				.map(text)
				.join(", ")}]`,
		]);
	},
	function longerLists(node, { text, parent, file }) {
		const all = nodes(node.elements).map(text);
		const known = node.type === "ArrayExpression" ? (file.lists.get(getPropertyName(parent)) ?? []) : [];
		return [...known].filter((word) => !all.includes(word)).map((word) => ["added element", `[${[...all, word].join(", ")}]`]);
	},
	function members(node, { text, file, parent }) {
		if (node.type !== "MemberExpression" || node.computed || (parent.type === "CallExpression" && parent.callee === node)) return [];
		const [object, property] = [text(node.object as Node), text(node.property as Node)];
		const others = [...(file.members.get(object) ?? [])].filter((other) => other !== property);
		return others.map((other) => ["wrong member", `${object}.${other}`]);
	},
	function properties(node, { text, parent }) {
		if (node.type !== "ObjectExpression" || parent.type !== "CallExpression") return [];
		const all = nodes(node.properties);
		return all.map((dropped) => [
			"dropped property",
			`{ ${all
				.filter((property) => property !== dropped)
				.map(text)
				.join(", ")} }`,
		]);
	},
	function literals(node, { parent, text }) {
		if (node.type !== "Literal" || parent.type === "JSXAttribute" || parent.key === node) return [];
		if (typeof node.value === "boolean") return [["wrong value", String(!node.value)]];
		if (typeof node.value === "string" && queryWords.has(node.value))
			return [["wrong condition", JSON.stringify(queryWords.get(node.value))]];
		const compared = parent.type === "BinaryExpression" && /[<>=]/.test(parent.operator as string);
		return typeof node.value === "number" && compared ? [["boundary", `${text(node)} + 1`]] : [];
	},
	function sql(node, { text, parent }) {
		const tagged = node.type === "TaggedTemplateExpression" && /^sql\b/.test(text(node.tag as Node));
		const plain =
			(node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string")) &&
			parent.type !== "TaggedTemplateExpression";
		if (!tagged && !(plain && /^["'`]\s*(select|insert|update|delete|with|lock|create)\b/i.test(text(node)))) return [];
		const whole = text(node);
		return sqlBugs.flatMap(([kind, was, became]) =>
			[...whole.matchAll(was)].map((found): [string, string] => {
				const replacement = became.replace(/\$(\d)/g, (_, group) => found[Number(group)] ?? "");
				return [kind, whole.slice(0, found.index) + replacement + whole.slice(found.index + found[0].length)];
			}),
		);
	},
];

const maxListLength = 12;

/** Log and progress output: no behaviour depends on it. */
const isOutput = /^([\w.]*\blog\.|console\.|progress\(|onProgress\()/;

/** The property that holds a value: `from` in `from: ["paid"]`. */
const getPropertyName = (parent: Node) => (parent.type === "Property" ? String((parent.key as Node).name) : "");

function readFileWords(program: Node, text: (node: Node) => string): FileWords {
	const imported = new Set<string>();
	const words: FileWords = { members: new Map(), lists: new Map() };
	const add = (map: Map<string, Set<string>>, name: string, word: string) => map.set(name, (map.get(name) ?? new Set()).add(word));
	const visit = (node: Node) => {
		if (node.type === "ImportSpecifier") imported.add(text(node.local as Node));
		const value = node.type === "Property" ? (node.value as Node) : node;
		if (value !== node && value.type === "ArrayExpression" && nodes(value.elements).every(isText))
			for (const element of nodes(value.elements)) add(words.lists, getPropertyName(node), text(element));
		if (node.type === "MemberExpression" && !node.computed && imported.has(text(node.object as Node)))
			add(words.members, text(node.object as Node), text(node.property as Node));
		for (const inner of Object.values(node)) for (const child of isNode(inner) ? [inner] : nodes(inner)) visit(child);
	};
	visit(program);
	return words;
}

const isText = (node: Node) => node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");

/** Parts of the tree that are only types: no mutants. */
const typeKeys = new Set(["typeAnnotation", "typeArguments", "typeParameters", "returnType", "superTypeArguments", "decorators"]);
const throughTypes = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

/**
 * Lists the mutants of a file.
 * @param file its name; the extension selects the parser.
 */
export function listMutants(file: string, source: string): Mutant[] {
	const { program, errors } = parseSync(file, source);
	if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`);
	const text = ({ start, end }: Node) => source.slice(start, end);
	const words = readFileWords(program as unknown as Node, text);
	const found: Mutant[] = [];
	const visit = (node: Node, parent: Node, inChain: boolean) => {
		if (node.type === "ImportDeclaration" || (node.type.startsWith("TS") && !throughTypes.has(node.type))) return;
		// Vite replaces these calls while it builds, and takes only literals
		if (node.type === "CallExpression" && text(node.callee as Node).startsWith("import.meta.")) return;
		if (!inChain)
			for (const operator of operators)
				for (const [kind, became] of operator(node, { parent, text, file: words }))
					found.push({ kind, start: node.start, end: node.end, was: text(node), became });
		for (const [key, value] of Object.entries(node)) {
			if (typeKeys.has(key)) continue;
			// parentheses around a part of a?.b().c() would end the optional chain
			const chained = (node.type === "ChainExpression" || inChain) && ["expression", "callee", "object"].includes(key);
			for (const child of isNode(value) ? [value] : nodes(value)) visit(child, node, chained);
		}
	};
	visit(program as unknown as Node, program as unknown as Node, false);
	return found;
}
