import { formatLongDay } from "../../catalogue/instants.ts";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import type { NoticeKind } from "../../ui/notice.tsx";

/** What the shop says about a file to anybody who holds it. Days are ISO dates in Paris. */
export type FileOrigin =
	| { known: false }
	/** `replacedOn`: the customer then got another extract. */
	| { known: true; deliveredOn: string; replacedOn: string | null };

const maxTypedLength = 1000;

/**
 * Reads a SHA-256 as a person pastes it: alone, in groups, or in a line with the name of the file, as commands print it.
 * @returns 64 lowercase hexadecimal digits, or null.
 */
export function readFingerprint(typed: string): string | null {
	const text = typed.slice(0, maxTypedLength).toLowerCase();
	const [digits] = /(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/.exec(text) ?? /^[0-9a-f]{64}$/.exec(text.replace(/[\s:-]+/g, "")) ?? [];
	return digits ?? null;
}

const format = (day: string) => formatLongDay(new Date(day));

/** The answer about a file, in French. */
export function describeFileOrigin(origin: FileOrigin, shopName: string): { kind: NoticeKind; title: string; sentence: string } {
	const { kind, title, sentence } = chooseSentences(origin, shopName);
	return { kind, title: setFrenchSpaces(title), sentence: setFrenchSpaces(sentence) };
}

function chooseSentences(origin: FileOrigin, shopName: string): ReturnType<typeof describeFileOrigin> {
	if (!origin.known) {
		return {
			kind: "failed",
			title: `Inconnu\u00a0: ${shopName} n’a pas livré ce fichier`,
			sentence:
				"Il a pu être modifié, enregistré de nouveau ou numérisé, ou venir d’ailleurs\u00a0: cela ne prouve pas que c’est un faux. Demandez le fichier d’origine, ou vérifiez le code imprimé sur l’extrait.",
		};
	}
	if (origin.replacedOn !== null) {
		return {
			kind: "warning",
			title: `Livré par ${shopName} le ${format(origin.deliveredOn)}, puis remplacé le ${format(origin.replacedOn)}`,
			sentence:
				"Le fichier est intact, mais nous avons depuis livré un autre extrait à notre client. Demandez le nouveau à la personne qui vous a transmis celui-ci.",
		};
	}
	return {
		kind: "done",
		title: `Fichier intact, livré par ${shopName} le ${format(origin.deliveredOn)}`,
		sentence:
			"Ce fichier n’a subi aucune modification depuis sa livraison. Vérifiez aussi l’entreprise, le SIREN et la date qui y figurent.",
	};
}
