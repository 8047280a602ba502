import { formatDay } from "../companies/bulletin/notice.ts";
import { nameInSubject } from "../companies/company-name.ts";
import type { EmailBlock } from "../mail/email.ts";
import { updateMailNotices } from "../mail/mails.store.server.ts";
import type { Order } from "../orders/order.ts";
import { describeEmailNotices, type EmailNotices } from "../orders/watch/email-notices.server.ts";
import { formatDoubt, formatWatchSource, hasDoubt, type PublishedEntry } from "../orders/watch/extract-watch.ts";
import { defineOrderEmail } from "./define-order-email.server.ts";
import { greetCustomer, identifyOrder, linkTracking } from "./email-parts.ts";

/** What was published since the extract; withdrawn notices only where an earlier e-mail told them. */
export const extractNotices = defineOrderEmail({
	name: "extract-notices",
	to: "customer",
	label: "Annonces publiées depuis l’extrait",
	isBulk: true,
	load: (context, { order, mail }) => describeEmailNotices(context, order, mail),
	unsubscribeUrl: ({ endUrl }) => endUrl,
	compose: (order, data) => ({
		subject: `${summarise(order, data.entries)} depuis votre extrait — commande ${order.order_number}`,
		preheader: data.entries[0]?.sentence ?? "",
		title: "Publié depuis votre extrait",
		blocks: [
			greetCustomer(order),
			...describeNotices(data),
			{ descriptionList: identifyOrder(order) },
			linkTracking(data),
			...explainWatch(data),
		],
	}),
	// a notice that was cancelled meanwhile is not in the e-mail
	afterSending: (_, trx, { mail, data }) => updateMailNotices(trx, mail.id, data.entries.map(({ id }) => id).sort()),
});

function summarise(order: Order, entries: readonly PublishedEntry[]): string {
	const name = nameInSubject(order);
	const [first] = entries;
	if (entries.length > 1) return `${entries.length} annonces ont été publiées sur ${name}`;
	if (first?.withdraws) return `Une annonce sur ${name} a été annulée`;
	return `Une annonce a été publiée sur ${name}`;
}

function describeNotices(told: EmailNotices): EmailBlock[] {
	return [
		...told.entries.flatMap((entry): EmailBlock[] => [
			[entry.sentence, entry.note, formatDoubt(entry, told, "votre")].filter(Boolean).join(" "),
			{ link: `Lire l’annonce du ${formatDay(entry.publishedOn)}`, url: entry.url },
		]),
		...(hasDoubt(told)
			? [
					"Si vous devez remettre un extrait qui en tient compte, vous pouvez en commander un nouveau.",
					{ action: "Commander à jour", url: told.orderUrl },
				]
			: []),
		formatWatchSource(told),
	];
}

const explainWatch = ({ endsOn, endUrl }: EmailNotices): EmailBlock[] => [
	{ heading: "Pourquoi cet e-mail ?" },
	`Jusqu’au ${formatDay(endsOn)}, nous vous signalons les annonces que nous relevons au BODACC et qui peuvent concerner votre extrait.`,
	{ link: "Ne plus recevoir ces e-mails", url: endUrl },
];
