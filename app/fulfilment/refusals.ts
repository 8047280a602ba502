import type { ChangeCompanyRefusal } from "./company-change/change-company.server.ts";
import type { CorrectTrackingRefusal } from "./correct-tracking.server.ts";
import type { DraftRefusal } from "./drafts/insert-draft.server.ts";
import type { SortRefusal } from "./drafts/sort-files.server.ts";
import { extractProblems } from "./extracts/extract-sentences.ts";
import type { ExtractProblem } from "./extracts/judge-extract.ts";
import type { NoteRefusal } from "./notes/add-note.server.ts";
import type { PostRefusal } from "./post-extract.server.ts";
import type { RecordRequestRefusal } from "./record-request.server.ts";
import type { ReplaceRefusal } from "./replace-extract.server.ts";
import type { ReportNotFoundRefusal } from "./report-extract-not-found.server.ts";
import type { UploadRefusal } from "./upload-extract.server.ts";

type Refusal =
	| UploadRefusal
	| ReplaceRefusal
	| PostRefusal
	| CorrectTrackingRefusal
	| ReportNotFoundRefusal
	| RecordRequestRefusal
	| ChangeCompanyRefusal
	| DraftRefusal
	| SortRefusal
	| NoteRefusal
	| "no-draft"
	| "pending-act";

/** Why a file, or an act on an order, is refused: the operator's sentences at the desk and in the terminal. */
export const servingRefusals: Record<ExtractProblem | Refusal, string> = {
	...extractProblems,
	"unknown-order": "Cette commande n’existe pas.",
	"not-paid": "Cette commande n’est pas payée.",
	completed: "Cette commande est déjà livrée.",
	failed: "Cette commande a été annulée, remboursée ou arrêtée entre-temps\u00a0: rien n’est envoyé.",
	erased: "Les données de ce client ont été effacées\u00a0: cette commande ne change plus.",
	disputed: "Le paiement de cette commande est contesté\u00a0: ses documents restent bloqués jusqu’à la décision de la banque.",
	refunded: "Cette commande a été remboursée en entier\u00a0: il n’y a plus rien à corriger.",
	"already-requested": "C’est déjà noté\u00a0: l’extrait de cette commande est demandé au greffe.",
	"reported-not-found": "L’extrait de cette commande a été signalé introuvable.",
	"has-extract": "Cette commande a déjà son extrait.",
	"other-extract": "Un autre extrait a été déposé pour cette commande entre-temps. Celui-ci n’est pas envoyé.",
	"of-another-order": "Ce fichier a déjà été livré pour une autre commande. Demandez un extrait neuf au greffe.",
	"no-upload": "Cette commande n’a pas encore d’extrait.",
	"not-issued": "L’extrait déposé n’est pas encore émis. Réessayez dans une minute.",
	"same-extract": "Ce fichier est déjà l’extrait de cette commande\u00a0: rien n’est changé.",
	"no-extract": "Cette commande n’a pas encore d’extrait.",
	"not-postal": "Cette commande n’est pas à envoyer par courrier.",
	"invalid-tracking-number":
		"Ce numéro de suivi n’est pas valable\u00a0: il a de 11 à 15 lettres et chiffres, dont au moins 8 chiffres. Exemple\u00a0: 1A 234 567 8901 2.",
	"wrong-tracking-key": "Un chiffre de ce numéro de suivi est faux\u00a0: comparez-le avec l’étiquette.",
	"no-tracking-number": "C’est un numéro d’entreprise ou de téléphone, pas un numéro de suivi.",
	"unknown-tracking-number": "Ce numéro n’a pas la forme d’un numéro de La Poste. Comparez-le avec l’étiquette.",
	"other-tracking-number": "Cette commande a déjà un autre numéro de suivi. Corrigez-le sur sa page.",
	"previous-tracking-number": "C’est le numéro du courrier précédent. Saisissez celui du nouveau.",
	"same-tracking-number": "C’est déjà le numéro de suivi de cette commande.",
	"not-posted": "Le courrier de cette commande n’est pas encore posté.",
	"just-posted": "Le courrier vient d’être enregistré. Réessayez dans une minute.",
	"unknown-company": "Aucune entreprise n’a ce SIREN.",
	"company-without-extract": "Cette entreprise n’a pas d’extrait.",
	removed: "Cette entreprise est radiée\u00a0: elle n’a plus d’extrait.",
	"same-company": "C’est déjà l’entreprise de cette commande.",
	"no-agreement": "Notez quand et comment le client a donné son accord.",
	"invoice-not-ready": "La facture de cette commande est en préparation. Réessayez dans une minute.",
	"unknown-siren": "Aucun SIREN ne se lit dans ce fichier. Déposez-le sur la page de sa commande.",
	"no-order": "Aucune commande de cette entreprise n’attend un extrait, ou chacune a déjà son fichier.",
	"several-companies": "Ce fichier cite plusieurs entreprises qui ont une commande en attente. Déposez-le sur la page de la bonne.",
	"same-file": "Ce fichier a été déposé deux fois\u00a0: une seule fois compte.",
	"empty-note": "Écrivez la note.",
	"too-long": "Cette note est trop longue.",
	"pending-act": "Une action sur cette commande peut encore être annulée. Annulez-la, ou réessayez dans une minute.",
	"no-draft": "Ce fichier n’est plus en attente\u00a0: il a été livré, retiré ou remplacé par un autre.",
};
