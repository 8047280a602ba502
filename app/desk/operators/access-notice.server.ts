import { randomUUID } from "node:crypto";
import type { Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { formatInstant } from "../../catalogue/instants.ts";
import type { EmailContent } from "../../mail/email.ts";
import type { MailContext } from "../../mail/mailer.ts";
import { renderEmail } from "../../mail/render-email.tsx";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import { findOperator } from "./operators.store.server.ts";

/** Enqueues the e-mail that tells an operator what changed in their access. @param client the network of who changed it. */
export async function enqueueAccessNotice(
	{ jobs, now }: Pick<Context, "jobs" | "now">,
	trx: Trx,
	{ operatorId, change, client }: { operatorId: string; change: AccessChange; client: string },
): Promise<void> {
	await jobs.send(trx, "send-access-notice", { id: randomUUID(), operatorId, change, at: now().toISOString(), origin: client });
}

/** What changed in an operator's access, when (ISO 8601), and from which network. */
export interface AccessNotice {
	id: string;
	operatorId: string;
	change: AccessChange;
	at: string;
	origin: string;
}

/** Sends it to the operator's own address, unless they have left. @throws after a temporary failure; the job tries again. */
export async function sendAccessNotice(context: MailContext, { id, operatorId, change, at, origin }: AccessNotice): Promise<void> {
	const { db, mailer, environment, log } = context;
	const operator = await findOperator(db, operatorId);
	if (operator === null || operator.leftAt !== null) return;
	const content = accessNoticeEmail(
		{ name: operator.name, change, at: new Date(at), origin },
		{ url: absoluteUrl(environment.deskUrl, "/bureau/mon-acces"), shopName: environment.shop.name },
	);
	const sent = await mailer.send({ id, to: operator.email, ...renderEmail(content, environment.shop) });
	if (!sent.ok) log.warn({ operator: operatorId, reason: sent.reply }, "an operator's notice was refused");
}

/** `access`: an invitation replaced password and second factor. `codes`: the recovery codes. */
type AccessChange = "passkey" | "password" | "codes" | "access";

const sentences: Record<AccessChange, string> = {
	passkey: "Une clé d’accès a été ajoutée à votre accès",
	password: "Votre mot de passe a été changé",
	codes: "Vos codes de secours ont été remplacés",
	access: "Votre mot de passe et votre second facteur ont été remplacés",
};

/** Tells an operator what changed in their own access, so that they notice what they did not do. */
function accessNoticeEmail(
	{ name, change, at, origin }: { name: string; change: AccessChange; at: Date; origin: string },
	{ url, shopName }: { url: string; shopName: string },
): EmailContent {
	const sentence = sentences[change];
	return {
		subject: `${sentence}\u00a0: bureau ${shopName}`,
		preheader: "Si c’est vous, vous n’avez rien à faire.",
		title: sentence,
		blocks: [
			`Bonjour ${name},`,
			`${sentence} le ${formatInstant(at)}, depuis ${origin}.`,
			"Si c’est vous, vous n’avez rien à faire.",
			"Si ce n’est pas vous, ouvrez «\u00a0Mon accès\u00a0»\u00a0: terminez toutes les sessions, supprimez les clés d’accès inconnues et changez de mot de passe. Prévenez aussi un responsable, qui peut fermer votre accès.",
			{ action: "Ouvrir «\u00a0Mon accès\u00a0»", url },
		],
	};
}
