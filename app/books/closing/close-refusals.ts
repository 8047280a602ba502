import { isBlocking } from "../checks/finding.ts";
import { formatMonth } from "../month.ts";
import type { CloseOutcome } from "./close-month.server.ts";

type CloseRefusal = Extract<CloseOutcome, { ok: false }>;

const sentences = {
	"not-over": "Ce mois n’est pas terminé.",
	nothing: "Ce mois n’a aucune écriture à clôturer.",
	changed: "Des écritures se sont ajoutées depuis que vous avez regardé ce mois. Relisez les sommes, puis clôturez.",
	"closed-elsewhere":
		"Ce mois a déjà été clôturé avec d’autres factures, par une base de données plus récente que celle-ci. Recréez les commandes perdues (npm run orders -- recreate --all), puis recommencez.",
} as const;

/** Why a month is not closed, for the operator. */
export function formatCloseRefusal(refusal: CloseRefusal): string {
	if (refusal.code === "earlier-open") return `Clôturez d’abord ${formatMonth(refusal.month)}.`;
	if (refusal.code !== "differences") return sentences[refusal.code];
	const count = refusal.findings.filter(isBlocking).length;
	return `${count === 1 ? "Une différence empêche" : `${count} différences empêchent`} la clôture.`;
}
