// The field's own words (CONTRIBUTING.md, « Words »), as part of npm run check: names, comments, test titles and English documents.
import { globSync, readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
import { readSources, type SourceFile } from "./check-imports.ts";

/** Each expression that only this code used, and the usual word. Names are compared as `stand-in`, for `standIn` and `StandIn`. */
const words: [RegExp, string][] = [
	[/\bpatience\b/, "timeout"],
	[/\bstand-ins?\b/, "fake"],
	[/\bmade-up\b/, "generated, or fixture"],
	[/\bsettl(e|es|ed|ing)[- ]((a|an|the|its|this|each|every) )?(session|payment|order|refund)s?\b/, "sync, or record"],
	[/\b(show-life|signs?[- ]of[- ]life)\b/, "heartbeat"],
	[/\b(wake-orders|lies? still)\b/, "requeue stalled orders"],
	[/\b(kept|keep)[- ]pages\b/, "page cache"],
	[/\b(wire-shop|wired shop)\b/, "createShop"],
	[/\bplanned[- ]once\b/, "prepared"],
	[/\b(database|mark|is)-away\b/, "unavailable"],
	[/\bread-away\b/, "drainBody"],
	[/\bcomes-from-elsewhere\b/, "isCrossOrigin"],
	[/\b(says-why|whats)\b/, "labels, or the name of the thing"],
	[/\btrap-field\b/, "honeypot"],
	[/\bfold-address\b/, "normalizeEmail"],
	[/\ball-spellings\b/, "tokenVariants"],
	[/\b(words-page|pages of words)\b/, "content page"],
	[/\bmoved[- ]pages\b/, "redirects"],
	[/\brivals?\b|\bbare limit\b/, "baseline"],
	[/\bown-shop\b|-under-test\b/, "fixture, or separate shop"],
	[/\bforget-/, "delete, or anonymise"],
	[/\bwhoever\b/, "who, or anyone who"],
	[/\ban? ([\w-]+ )?[\w-]+ of its own\b/, "its own, or separate"],
	[/^type ([\w-]+-)?(told|shown|asked|found|kept|done|deps)$/, "the noun of the thing"],
];

const documents = [
	"*.md",
	"{data,deploy,docs}/**/*.md",
	"deploy/**/*.{cfg,conf,env,service,sh,timer}",
	"deploy/{Caddyfile,cluster/*.yaml}",
	"Dockerfile",
	"compose*.yaml",
];
const readDocuments = () => globSync(documents).map((path) => ({ path, text: readFileSync(path, "utf8") }));

/** @returns a sentence for each expression that has a usual word. */
export function checkWords(files: readonly SourceFile[] = [...readSources(), ...readDocuments()]): string[] {
	const checked = files.filter(({ path }) => !path.startsWith("scripts/check-words"));
	return checked.flatMap(({ path, text }) => {
		const isSource = /\.[mc]?tsx?$|\.mjs$/.test(path);
		const passages = isSource ? [hyphenate(path), ...readPassages(path, text)] : [toPassage(text.replace(/`[^`]*`/g, ""))];
		const problems = words.flatMap(([word, usual]) =>
			passages.flatMap((passage) => {
				const match = word.exec(passage);
				return match ? [`${path} says « ${match[0]} »: ${usual}`] : [];
			}),
		);
		return [...new Set(problems)];
	});
}

/** Names, comments and test titles of a source file; other strings may be French. */
function readPassages(path: string, text: string): string[] {
	const { program, comments } = parseSync(path, text);
	const passages = comments.map(({ value }) => toPassage(value));
	new Visitor({
		Identifier: ({ name }) => void passages.push(hyphenate(name)),
		TSInterfaceDeclaration: ({ id }) => void passages.push(`type ${hyphenate(id.name)}`),
		TSTypeAliasDeclaration: ({ id }) => void passages.push(`type ${hyphenate(id.name)}`),
		CallExpression({ callee, arguments: [title] }) {
			const isTest = /^(test|it|describe)\b/.test(text.slice(callee.start, callee.end));
			if (!isTest) return;
			if (title?.type === "Literal" && typeof title.value === "string") passages.push(toPassage(title.value));
			if (title?.type === "TemplateLiteral") passages.push(toPassage(title.quasis.map(({ value }) => value.cooked).join(" ")));
		},
	}).visit(program);
	return passages;
}

/** Joins the lines of a text, so that an expression may be broken over two of them. */
const toPassage = (text: string) => text.replace(/[\s*#]+/g, " ").toLowerCase();

const hyphenate = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
