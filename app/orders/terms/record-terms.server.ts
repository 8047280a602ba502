import { createHash } from "node:crypto";
import { href } from "react-router";
import type { Context } from "../../../server/runtime.ts";
import { textVersions } from "../../catalogue/text-versions.ts";
import { fillIn } from "../../content/fill-in.ts";
import type { Text } from "../../content/text.ts";
import type { TextVariables } from "../../content/variables.ts";
import { hasTerms, insertTerms } from "./terms.store.server.ts";
import { formatTerms, listTermsLines, type TermsOfSale } from "./terms.ts";
import { createTermsPdf } from "./terms-pdf.server.ts";

/** Composes the terms as this shop shows them. @param text of /cgv. */
export function composeTerms(text: Text, variables: TextVariables): TermsOfSale {
	const { title, ...content } = fillIn(text, variables);
	return { version: textVersions.terms.date, title, seller: variables.shopName, lines: listTermsLines(content) };
}

/** The hash of what a customer reads and accepts. */
export const hashTerms = (terms: TermsOfSale): string => createHash("sha256").update(formatTerms(terms)).digest("hex");

/**
 * Creates the function that records the terms in force, once per process, before an order names them or a visitor downloads them (C. conso.
 * art. L221-13, L213-1).
 * It returns their hash, and throws when the database does not answer: the next call tries again.
 */
export function createTermsRecorder(context: Pick<Context, "db" | "now">, variables: TextVariables): () => Promise<string> {
	let recorded: Promise<string> | undefined;
	return () => {
		recorded ??= recordTerms(context, variables).catch((error: unknown) => {
			recorded = undefined;
			throw error;
		});
		return recorded;
	};
}

async function recordTerms({ db, now }: Pick<Context, "db" | "now">, variables: TextVariables): Promise<string> {
	// imported here, because only the build has the texts, and a command places no order
	const { getText } = await import("../../content/texts.ts");
	const terms = composeTerms(getText(href("/cgv")), variables);
	const sha256 = hashTerms(terms);
	if (await hasTerms(db, sha256)) return sha256;
	const pdf = Buffer.from(await createTermsPdf(terms, new Date(terms.version)));
	await insertTerms(db, { sha256, version: terms.version, text: formatTerms(terms), pdf, first_seen_at: now() });
	return sha256;
}
