import { parseSiren } from "../companies/siren.ts";
import { extractProblems, extractWarnings } from "../extracts/extract-sentences.ts";
import type { Confirmations, ExtractProblem } from "../extracts/judge-extract.ts";
import { parseInstant } from "../extracts/parse-instant.ts";
import { checkServable } from "../fulfilment/check-servable.ts";
import { type ChangeCompanyRefusal, changeCompany } from "../fulfilment/company-change/change-company.server.ts";
import { type CorrectTrackingRefusal, correctTracking } from "../fulfilment/correct-tracking.server.ts";
import { failOrder } from "../fulfilment/fail-order.server.ts";
import { insertNote, maxNoteLength, type NoteRefusal } from "../fulfilment/notes/insert-note.server.ts";
import { type PostRefusal, postExtract } from "../fulfilment/post-extract.server.ts";
import { type RecordRequestRefusal, recordRequest } from "../fulfilment/record-request.server.ts";
import { type Replacement, type ReplaceRefusal, replaceExtract } from "../fulfilment/replace-extract.server.ts";
import { type ReportNotFoundRefusal, reportExtractNotFound } from "../fulfilment/report-extract-not-found.server.ts";
import { type UploadedFile, type UploadRefusal, uploadExtract } from "../fulfilment/upload-extract.server.ts";
import { notFoundReasons } from "../orders/lifecycle.ts";
import { type CommandCall, done, type OrderCommand, type RefusedCommand, refuse } from "./command.ts";
import { readNamedFile } from "./read-named-file.server.ts";
import { getOperatorName } from "./run-recorded.server.ts";

/** Why an order refuses a command, in the order of its lifecycle. */
export const orderRefusals: Record<
	UploadRefusal | ReplaceRefusal | PostRefusal | CorrectTrackingRefusal | ReportNotFoundRefusal | RecordRequestRefusal,
	string
> = {
	"unknown-order": "Cette commande n’existe pas.",
	"not-paid": "Cette commande n’est pas payée.",
	completed: "Cette commande est déjà terminée.",
	failed: "Cette commande a échoué ou a été annulée.",
	erased: "Le client de cette commande a été effacé : il n’y a plus rien à corriger.",
	disputed: "Le paiement de cette commande est contesté : ses documents restent bloqués jusqu’à la décision de la banque.",
	refunded: "Cette commande a été remboursée en entier : il n’y a plus rien à corriger.",
	"already-requested": "C’est déjà noté : l’extrait de cette commande est demandé au greffe.",
	"reported-not-found": "Cette commande a été signalée comme introuvable au registre.",
	"has-extract": "Cette commande a déjà son extrait.",
	"other-extract": "Cette commande a déjà un extrait, différent de celui-ci.",
	"of-another-order": "Ce fichier a déjà été remis pour une autre commande.",
	"no-upload": "Cette commande n’a pas encore d’extrait : déposez-le avec upload.",
	"not-issued": "L’extrait déposé n’est pas encore émis : réessayez dans une minute (des tâches doivent tourner).",
	"same-extract": "Ce fichier est déjà l’extrait de cette commande : rien n’est changé.",
	purged: "C’est l’extrait de cette commande, mais sa durée de conservation est passée : il n’est pas remis en place.",
	"no-extract": "Déposez d’abord l’extrait de cette commande.",
	"not-postal": "Cette commande n’est pas à envoyer par courrier.",
	"invalid-tracking-number": "Ce numéro de suivi n’est pas valide : il a de 11 à 15 lettres et chiffres, par exemple 1A 234 567 8901 2.",
	"other-tracking-number": "Cette commande a déjà un numéro de suivi, différent de celui-ci.",
	"previous-tracking-number": "C’est le numéro du courrier précédent : notez celui du nouveau.",
	"same-tracking-number": "C’est déjà le numéro de suivi de cette commande : rien n’est changé.",
	"not-posted": "Le courrier de cette commande n’est pas encore posté : notez son numéro avec post.",
	"just-posted": "Le courrier vient d’être noté : réessayez quand la commande est terminée.",
};

/** The option by which the operator confirms each property of an extract. */
const confirmOptions: Record<keyof Confirmations, string> = {
	old: "--confirm-date",
	unreadable: "--confirm-scan",
	issuedAt: "--date JJ/MM/AAAA",
};

/** The accepted date formats. */
const dateExamples = '--date 21/11/2026, --date 2026-11-21, ou --date "21/11/2026 10:32"';

/** The options of the commands that read an extract. */
const extractOptions = { "confirm-date": { type: "boolean" }, "confirm-scan": { type: "boolean" }, date: { type: "string" } } as const;
const extractUsage = '[--confirm-date] [--confirm-scan] [--date "JJ/MM/AAAA HH:MM"]';

type ReadExtract = { ok: true } & Omit<UploadedFile, "orderId">;

/** Reads the extract file and the operator's confirmations. */
async function readExtract(call: CommandCall): Promise<ReadExtract | RefusedCommand> {
	const { args, options } = call;
	const file = await readNamedFile(call, args[0] ?? "");
	if (!file.ok) return file;
	const issuedAt = typeof options.date === "string" ? parseInstant(options.date) : undefined;
	if (issuedAt === null) return refuse(`Cette date ne se lit pas. Écrivez-la ainsi : ${dateExamples}.`);
	const confirmed = {
		old: options["confirm-date"] === true,
		unreadable: options["confirm-scan"] === true,
		issuedAt,
	};
	return { ok: true, bytes: file.bytes, confirmed, by: getOperatorName(options.as) };
}

const refusals: Record<ExtractProblem | UploadRefusal | ReplaceRefusal, string> = { ...extractProblems, ...orderRefusals };

const refuseExtract = ({ code, confirm }: { code: keyof typeof refusals; confirm?: keyof Confirmations | null }) =>
	refuse(refusals[code] + (confirm ? ` Pour en répondre : ${confirmOptions[confirm]}.` : ""));

export const requested: OrderCommand = {
	serves: true,
	usage: "KB-…",
	description: "note que l’extrait est demandé au greffe : le client le lit",
	argCount: [0, 0],
	async run({ shop, options }, order) {
		const outcome = await recordRequest(shop, { orderId: order.id, by: getOperatorName(options.as) });
		if (!outcome.ok) return outcome.code === "already-requested" ? done(orderRefusals[outcome.code]) : refuse(orderRefusals[outcome.code]);
		return done("C’est noté : le client lit que sa demande est transmise au greffe.");
	},
};

export const upload: OrderCommand = {
	serves: true,
	usage: `KB-… <extrait.pdf ou -> ${extractUsage}`,
	description: "dépose l’extrait obtenu du greffe, après contrôle",
	argCount: [1, 1],
	options: extractOptions,
	async run(call, order) {
		const extract = await readExtract(call);
		if (!extract.ok) return extract;
		const outcome = await uploadExtract(call.shop, { ...extract, orderId: order.id });
		if (!outcome.ok) return refuseExtract(outcome);
		return done(["L’extrait est déposé. La commande continue.", ...outcome.warnings.map((code) => extractWarnings[code])].join("\n"));
	},
};

/** In characters. */
const maxReasonLength = 500;

const reasonOptions = { reason: { type: "string" } } as const;

/** Reads why a correction is made. @param example of a reason, for the refusal. */
function readReason(options: CommandCall["options"], example: string): { ok: true; because: string } | RefusedCommand {
	const because = typeof options.reason === "string" ? options.reason.trim() : "";
	return because !== "" && because.length <= maxReasonLength
		? { ok: true, because }
		: refuse(`Dites pourquoi, en ${maxReasonLength} caractères au plus et sans nommer personne : --reason "${example}".`);
}

const replacementLabels: Record<Replacement, string> = {
	replaced: "L’extrait est remplacé : les pages, les liens et les e-mails donnent le nouveau. Le client est prévenu par e-mail.",
	toDeliver: "L’extrait est remplacé. Le nouvel extrait partira à la livraison.",
	restored: "C’était déjà l’extrait de cette commande, et son fichier manquait : il est de nouveau à sa place.",
	toPost: "L’extrait est remplacé. Postez le nouveau, puis notez son numéro de suivi avec post : le client est alors prévenu.",
};

export const replaceExtractCommand: OrderCommand = {
	usage: `KB-… <extrait.pdf ou -> --reason "…" ${extractUsage}`,
	description: "remplace l’extrait remis, après contrôle ; le motif reste dans la boutique",
	argCount: [1, 1],
	options: { ...extractOptions, ...reasonOptions },
	async run(call, order) {
		const reason = readReason(call.options, "page manquante");
		if (!reason.ok) return reason;
		const extract = await readExtract(call);
		if (!extract.ok) return extract;
		const outcome = await replaceExtract(call.shop, { ...extract, orderId: order.id, because: reason.because });
		if (!outcome.ok) return refuseExtract(outcome);
		return done([replacementLabels[outcome.replacement], ...outcome.warnings.map((code) => extractWarnings[code])].join("\n"));
	},
};

export const post: OrderCommand = {
	serves: true,
	usage: "KB-… <numéro de suivi>",
	description: "note le numéro de suivi du courrier posté",
	argCount: [1, 9],
	async run({ shop, args }, order) {
		const outcome = await postExtract(shop, { orderId: order.id, trackingNumber: args.join(" ") });
		return outcome.ok
			? done("Le numéro de suivi est noté. La commande se termine et le client est prévenu.")
			: refuse(orderRefusals[outcome.code]);
	},
};

export const correctTrackingCommand: OrderCommand = {
	usage: 'KB-… <numéro de suivi> --reason "…"',
	description: "corrige le numéro de suivi d’un courrier posté ; le motif reste dans la boutique",
	argCount: [1, 9],
	options: reasonOptions,
	async run({ shop, args, options }, order) {
		const reason = readReason(options, "faute de frappe");
		if (!reason.ok) return reason;
		const by = getOperatorName(options.as);
		const outcome = await correctTracking(shop, { orderId: order.id, trackingNumber: args.join(" "), because: reason.because, by });
		return outcome.ok ? done("Le numéro de suivi est corrigé et le client est prévenu.") : refuse(orderRefusals[outcome.code]);
	},
};

export const notFound: OrderCommand = {
	serves: true,
	usage: "KB-… [--reason removed|wrong-siren|no-kbis]",
	description: "le registre n’a pas d’extrait : la commande échoue et elle est remboursée ; le motif complète l’e-mail du client",
	argCount: [0, 0],
	options: { reason: { type: "string" } },
	async run({ shop, options }, order) {
		const because = notFoundReasons.find((reason) => reason === (options.reason ?? "unknown"));
		if (because === undefined) return refuse(`« ${options.reason} » n’est pas un motif : ${notFoundReasons.join(", ")}.`);
		if (order.failure_reason === "not-found") return done("C’est déjà noté : la commande a échoué.");
		const outcome = await reportExtractNotFound(shop, { orderId: order.id, because, by: getOperatorName(options.as) });
		return outcome.ok
			? done("C’est noté. La commande échoue, elle est remboursée et le client est prévenu.")
			: refuse(orderRefusals[outcome.code]);
	},
};

export const changeCompanyCommand: OrderCommand = {
	usage: 'KB-… <SIREN> --agreement "…"',
	description: "change l’entreprise d’une commande en cours, avec l’accord du client, qui est prévenu ; l’accord devient une note",
	argCount: [1, 4],
	options: { agreement: { type: "string" } },
	async run({ shop, args, options }, order) {
		const siren = parseSiren(args.join(""));
		if (siren === null) return refuse("Un SIREN a neuf chiffres.");
		const agreement = typeof options.agreement === "string" ? options.agreement : "";
		const outcome = await changeCompany(shop, { orderId: order.id, siren, agreement, operator: getOperatorName(options.as) });
		if (outcome.ok) return done(`La commande porte maintenant sur ${outcome.name}. Le client est prévenu.`);
		return refuse(companyRefusals[outcome.code]);
	},
};

const companyRefusals: Record<ChangeCompanyRefusal, string> = {
	...orderRefusals,
	"unknown-company": "Aucune entreprise n’a ce SIREN.",
	"company-without-extract": "Cette entreprise n’a pas d’extrait.",
	removed: "Cette entreprise est radiée.",
	"same-company": "C’est déjà l’entreprise de cette commande.",
	"no-agreement": 'Dites quand et comment le client a donné son accord : --agreement "par téléphone, lundi à 10 h".',
	"invoice-not-ready": "La facture de cette commande est en préparation : réessayez dans une minute.",
};

export const note: OrderCommand = {
	usage: "KB-… <texte>",
	description: "ajoute une note interne à la commande",
	argCount: [1, 500],
	async run({ shop, args, options }, order) {
		const outcome = await insertNote(shop, { orderId: order.id, operator: getOperatorName(options.as), text: args.join(" ") });
		return outcome.ok ? done("La note est enregistrée.") : refuse(noteRefusals[outcome.code]);
	},
};

const noteRefusals: Record<NoteRefusal, string> = {
	"unknown-order": orderRefusals["unknown-order"],
	erased: orderRefusals.erased,
	"empty-note": "Écrivez la note.",
	"too-long": `Une note a au plus ${maxNoteLength} caractères.`,
};

export const fail: OrderCommand = {
	serves: true,
	usage: "KB-…",
	description: "arrête une commande payée et la rembourse en entier",
	argCount: [0, 0],
	async run({ shop, options }, order) {
		if (order.failure_reason === "operator") return done("Cette commande est déjà arrêtée.");
		const refused = checkServable(order);
		if (refused !== null) return refuse(orderRefusals[refused]); // gives the reason; failOrder applies the rule
		if (!(await failOrder(shop, order.id, "operator", { by: getOperatorName(options.as) })))
			return refuse("Cette commande vient de changer d’état. Regardez-la de nouveau.");
		return done("La commande est arrêtée. Son remboursement est demandé et le client est prévenu.");
	},
};
