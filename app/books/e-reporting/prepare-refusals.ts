import { formatEuros } from "../../catalogue/money.ts";
import { formatFrenchDay } from "../files/journal-files.ts";
import type { Period } from "./period.ts";
import type { PrepareRefusal } from "./prepare-report.server.ts";

const sentences = {
	"no-platform": "Donnez d’abord le matricule et le nom de votre plateforme agréée, dans «\u00a0Votre logiciel\u00a0».",
	"on-debits": "Vous payez la TVA d’après les débits\u00a0: les paiements ne sont pas à transmettre.",
	"unknown-period": "Cette période n’existe pas. Rechargez la page.",
	"not-over": "Cette période n’est pas terminée.",
	empty: "Rien n’a été vendu ni remboursé à des particuliers dans cette période\u00a0: il n’y a rien à transmettre.",
} as const;

/** « du 01/09/2027 au 10/09/2027 » */
export const formatPeriod = ({ start, end }: Period): string => `du ${formatFrenchDay(start)} au ${formatFrenchDay(end)}`;

/** Why a transmission cannot be prepared, for the accountant. */
export function formatPrepareRefusal(refusal: PrepareRefusal): string {
	if (refusal.code === "overlaps")
		return `Des jours de cette période sont déjà dans la transmission ${formatPeriod(refusal.period)}. Demandez à votre plateforme comment changer de périodicité.`;
	if (refusal.code === "negative-day")
		return `Le ${formatFrenchDay(refusal.day)}, vous avez remboursé ${formatEuros(refusal.amount)} de plus que vous n’avez encaissé. Le format n’admet pas de montant négatif\u00a0: demandez à votre plateforme comment le transmettre.`;
	return sentences[refusal.code];
}
