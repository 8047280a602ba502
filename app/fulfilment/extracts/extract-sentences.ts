import type { ExtractProblem, ExtractWarning } from "./judge-extract.ts";
import { maxPages } from "./pdf-summary.ts";
import { maxPhotoPixels, maxPngPixels } from "./photos/photo-header.ts";

/** The operator's message when a file is refused as an extract. */
export const extractProblems: Record<ExtractProblem, string> = {
	empty: "Ce fichier est vide.",
	"too-large": "Ce fichier dépasse 10 Mo.",
	picture: "Ce fichier est une photo : rien n’y dit de quelle commande elle est. Au bureau, déposez-la sur la page de sa commande.",
	photo:
		"Cette commande part par e-mail : le client reçoit le fichier du greffe, pas une photo. Téléchargez le PDF auprès du greffe, puis déposez-le. Une photo ne convient qu’à un courrier, dont elle garde la trace.",
	scan: "Ce PDF est une image numérisée. Cette commande part par e-mail : le client reçoit le fichier du greffe, pas une image. Téléchargez le PDF auprès du greffe, puis déposez-le. Une image ne convient qu’à un courrier, dont elle garde la trace.",
	"other-picture":
		"Cette image n’est ni en JPEG ni en PNG. Enregistrez-la en JPEG, ou reprenez la photo après avoir choisi, sur un iPhone, Réglages, Appareil photo, Formats, « Le plus compatible ».",
	"damaged-picture": "Cette photo est incomplète ou endommagée : reprenez-la.",
	"large-picture": `Cette photo a trop de pixels : ${maxPhotoPixels / 1_000_000} millions au plus, ${maxPngPixels / 1_000_000} millions pour un PNG. Reprenez-la en plus petit.`,
	"not-pdf": "Ce fichier n’est pas un PDF.",
	truncated: "Ce PDF est incomplet : sa fin manque. Téléchargez-le à nouveau.",
	"more-than-pdf": "Ce fichier est un PDF suivi d’autre chose, par exemple une archive.",
	damaged: "Ce PDF ne s’ouvre pas : il est endommagé.",
	encrypted: "Ce PDF est chiffré ou protégé par un mot de passe.",
	heavy: "Ce PDF demande trop de temps ou de mémoire pour être lu.",
	"no-page": "Ce PDF n’a pas de page.",
	"too-many-pages": `Ce PDF a plus de ${maxPages} pages.`,
	script: "Ce PDF contient du JavaScript.",
	"automatic-action": "Ce PDF déclenche une action automatique.",
	launch: "Ce PDF peut ouvrir un autre fichier ou un programme.",
	attachment: "Ce PDF contient une pièce jointe.",
	media: "Ce PDF contient du son, de la vidéo ou un autre contenu actif.",
	"form-sending": "Ce PDF contient un formulaire qui envoie ou charge des données.",
	xfa: "Ce PDF contient un formulaire XFA.",
	"hidden-objects": "Ce PDF cache des objets dans un format illisible.",
	inflation: "Ce PDF se décompresse démesurément.",
	unreadable: "Le texte de ce PDF n’est pas lisible. Vérifiez le SIREN et la date, puis confirmez.",
	"other-company": "Cet extrait est celui d’une autre société.",
	"no-siren": "Le SIREN commandé ne se lit pas dans cet extrait. Regardez la page\u00a0: si c’est le bon extrait, dites pourquoi.",
	"doubtful-company":
		"Cet extrait cite plusieurs entreprises, et son texte ne dit pas sûrement de laquelle il est. Regardez la page\u00a0: si c’est le bon extrait, dites pourquoi.",
	"other-document":
		"Ce document ne se présente pas comme un extrait du greffe. Regardez la page\u00a0: si c’en est un, dites pourquoi il convient.",
	specimen: "Ce document est un spécimen sans valeur.",
	undated: "La date de délivrance n’a pas été trouvée. Indiquez-la.",
	future: "Cet extrait porte une date à venir.",
	old: "Cet extrait a plus d’un jour. Confirmez qu’il convient.",
};

/** The operator's message when an extract is accepted with a warning. */
export const extractWarnings: Record<ExtractWarning, string> = {
	unreadable: "Le texte n’est pas lisible : le SIREN et la date sont ceux que vous avez vérifiés.",
	"company-confirmed": "Le texte laissait un doute\u00a0: vous avez confirmé que c’est l’extrait de cette entreprise.",
	"date-given": "La date de délivrance est celle que vous avez indiquée.",
	"day-without-hour": "L’extrait porte un jour sans heure : son âge est compté depuis minuit.",
	old: "Cet extrait a plus d’un jour : vous avez confirmé qu’il convient.",
};
