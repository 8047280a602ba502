import { noExtractRefusal } from "../companies/company-notices.ts";
import type { LineProblem, LineRemark } from "./checked-line.ts";
import { maxReferenceLength } from "./typed-lines.ts";

/** Why a line is not ordered, and what to do. */
export function describeProblem(problem: LineProblem): string {
	switch (problem.code) {
		case "unknown-siren":
			return "Aucune entreprise n’a ce SIREN.";
		case "unknown-name":
			return "Aucune entreprise trouvée sous ce nom. Essayez son SIREN.";
		case "wrong-key":
			return "Ce numéro n’est pas un SIREN\u00a0: vérifiez ses chiffres.";
		case "wrong-length":
			return `Ce numéro a ${problem.digits} chiffres. Un SIREN en a 9, un SIRET 14.`;
		case "shortened":
			return "Votre tableur a abrégé ce numéro. Recopiez ses chiffres.";
		case "empty":
			return "Indiquez l’entreprise.";
		case "ambiguous":
			return "Plusieurs entreprises correspondent\u00a0: choisissez.";
		case "no-extract":
			return noExtractRefusal;
		case "duplicate":
			return `Déjà demandée à la ligne ${problem.of}. Pour un second extrait, donnez à cette ligne une autre référence.`;
		case "long-reference":
			return `Cette référence est trop longue\u00a0: ${maxReferenceLength} caractères au plus.`;
	}
}

export function describeRemark(remark: LineRemark): string {
	switch (remark.code) {
		case "again":
			return `Cette entreprise est aussi à la ligne ${remark.of}\u00a0: vous recevrez un extrait par ligne.`;
		case "closed-establishment":
			return "L’établissement de ce SIRET est fermé. L’extrait est celui de l’entreprise.";
		case "by-name":
			return `Trouvée pour «\u00a0${remark.name}\u00a0»\u00a0: vérifiez que c’est la bonne.`;
	}
}
