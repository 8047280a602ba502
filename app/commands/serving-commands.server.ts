import { formatStamp } from "../catalogue/instants.ts";
import { serviceCodes, services } from "../catalogue/services.ts";
import { formatTimeLeft } from "../catalogue/urgency.ts";
import { listOrdersToPost, listOrdersToServe, type OrderToServe } from "../desk/queue/queue.store.server.ts";
import { type ReceiveMailOutcome, receiveMail } from "../emails/messages/receive-mail.server.ts";
import { extractWarnings } from "../fulfilment/extracts/extract-sentences.ts";
import { type Confirmations, maxReasonLength } from "../fulfilment/extracts/judge-extract.ts";
import { parseInstant } from "../fulfilment/extracts/parse-instant.ts";
import { postExtract } from "../fulfilment/post-extract.server.ts";
import { servingRefusals } from "../fulfilment/refusals.ts";
import { uploadExtract } from "../fulfilment/upload-extract.server.ts";
import { alignColumns, toOneLine } from "./columns.ts";
import { type Command, done, type OrderCommand, refuse } from "./command.ts";
import { readNamedFile } from "./read-named-file.server.ts";
import { getOperatorName } from "./run-recorded-command.server.ts";

/** The commands of scripts that obtain extracts: what waits, the extract of an order, and the number of its letter. */

/** Orders listed at most, of those that wait for their extract and of those to post. */
const maxListedOrders = 200;

export const list: Command = {
	usage: "",
	description: "les commandes qui attendent leur extrait ou leur numéro de suivi, la plus pressée d’abord",
	argCount: [0, 0],
	async run({ shop }) {
		const page = { now: shop.now(), after: null, limit: maxListedOrders };
		const toServe = await listOrdersToServe(shop.db, { ...page, services: serviceCodes });
		const toPost = await listOrdersToPost(shop.db, page);
		if (toServe.length + toPost.length === 0) return done("Aucune commande.");
		const heading = ["Reste", "Commande", "Service", "Société", "Attend", "Promise pour", "Prise par"];
		const rows = [
			...toServe.map((order) => toRow(order, "extrait", page.now)),
			...toPost.map((order) => toRow(order, "numéro de suivi", page.now)),
		];
		const isCut = toServe.length === maxListedOrders || toPost.length === maxListedOrders;
		return done(alignColumns([heading, ...rows]) + (isCut ? `\nAu plus ${maxListedOrders} commandes de chaque sorte sont listées.` : ""));
	},
};

const toRow = (order: OrderToServe, awaited: string, now: Date): string[] => [
	formatTimeLeft(order.due_at, now),
	order.order_number,
	services[order.product_code].name,
	`${toOneLine(order.company_name)} (${order.siren})`,
	awaited,
	formatStamp(order.due_at),
	toOneLine(order.operator_name ?? ""),
];

/** The option by which the operator confirms each property of an extract. */
const confirmOptions: Record<keyof Confirmations, string> = {
	old: "--confirm-date",
	unreadable: "--confirm-scan",
	company: '--confirm-company "raison"',
	issuedAt: "--date JJ/MM/AAAA",
};

/** The accepted date formats. */
const dateExamples = '--date 21/11/2026, --date 2026-11-21, ou --date "21/11/2026 10:32"';

const extractOptions = {
	"confirm-date": { type: "boolean" },
	"confirm-scan": { type: "boolean" },
	"confirm-company": { type: "string" },
	date: { type: "string" },
} as const;
const extractUsage = '[--confirm-date] [--confirm-scan] [--confirm-company "raison"] [--date "JJ/MM/AAAA HH:MM"]';

export const upload: OrderCommand = {
	usage: `KB-… <extrait.pdf ou -> ${extractUsage}`,
	description: "dépose l’extrait obtenu du greffe, après contrôle",
	argCount: [1, 1],
	options: extractOptions,
	async run(call, order) {
		const { shop, args, options } = call;
		const file = await readNamedFile(call, args[0] ?? "");
		if (!file.ok) return file;
		const issuedAt = typeof options.date === "string" ? parseInstant(options.date) : undefined;
		if (issuedAt === null) return refuse(`Cette date ne se lit pas. Écrivez-la ainsi : ${dateExamples}.`);
		const company =
			typeof options["confirm-company"] === "string" ? options["confirm-company"].trim().slice(0, maxReasonLength) : undefined;
		const confirmed = { old: options["confirm-date"] === true, unreadable: options["confirm-scan"] === true, company, issuedAt };
		const by = getOperatorName(options.as);
		const outcome = await uploadExtract(shop, { orderId: order.id, bytes: file.bytes, confirmed, by });
		if (!outcome.ok) {
			const confirm = "confirm" in outcome && outcome.confirm;
			return refuse(servingRefusals[outcome.code] + (confirm ? ` Pour en répondre\u00a0: ${confirmOptions[confirm]}.` : ""));
		}
		return done(["L’extrait est déposé. La commande continue.", ...outcome.warnings.map((code) => extractWarnings[code])].join("\n"));
	},
};

export const post: OrderCommand = {
	usage: "KB-… <numéro de suivi> [--confirm-number]",
	description: "note le numéro de suivi du courrier posté",
	argCount: [1, 9],
	options: { "confirm-number": { type: "boolean" } },
	async run({ shop, args, options }, order) {
		const confirmed = options["confirm-number"] === true;
		const outcome = await postExtract(shop, { orderId: order.id, trackingNumber: args.join(" "), confirmed });
		if (outcome.ok) return done("Le numéro de suivi est noté. La commande se termine et le client est prévenu.");
		const confirm = outcome.code === "unknown-tracking-number" ? " Pour en répondre\u00a0: --confirm-number." : "";
		return refuse(servingRefusals[outcome.code] + confirm);
	},
};

export const receive: Command = {
	usage: "- < message.eml",
	description: "reçoit un e-mail écrit à la boutique, lu sur l’entrée standard : réponse d’un client, ou avis de non-remise",
	argCount: [0, 1],
	async run({ shop, readInput }) {
		const raw = await readInput();
		if (raw === null || raw.byteLength === 0)
			return refuse("Donnez l’e-mail sur l’entrée standard : npm run orders -- receive - < message.eml");
		const received = await receiveMail(shop, raw);
		// the mail server tries again
		if (!received.ok) return refuse("Trop d’e-mails en une heure : réessayez plus tard.");
		const { what, orderNumber } = received;
		return { ...done(receivedSentences[what]), ...(orderNumber && { subject: orderNumber }) };
	},
};

/** All of these end with success, so that no mail server answers the sender with an error. */
const receivedSentences: Record<Extract<ReceiveMailOutcome, { ok: true }>["what"], string> = {
	started: "Le message est dans la liste du bureau.",
	continued: "La réponse est dans son fil de messages.",
	known: "Cet e-mail était déjà reçu.",
	bounce: "L’avis de non-remise est noté.",
	automatic: "C’est un envoi automatique : il est dans la liste « Automatiques » du bureau.",
	complaint: "C’est une plainte : elle est dans la liste du bureau.",
	notice: "C’est un avis d’un serveur, qui ne se lit pas : il est dans la liste du bureau.",
	own: "C’est un e-mail de la boutique elle-même : rien n’est noté.",
	unreadable: "Cet e-mail ne dit pas de qui il vient : il est dans la liste du bureau.",
};
