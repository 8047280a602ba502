import { formatDay } from "../bulletin/notice.ts";
import type { EmailNotices } from "../extract-watch/email-notices.server.ts";
import { formatDoubt, formatWatchSource, hasDoubt, type PublishedEntry } from "../extract-watch/extract-watch.ts";
import type { EmailBlock } from "../mail/email.ts";
import type { Order } from "../orders/order.ts";
import { greetCustomer, identifyOrder, linkTracking, type OrderEmailTemplate } from "./email-parts.ts";

/** What was published since the extract; withdrawn notices only where an earlier e-mail told them. */
export const extractNotices: OrderEmailTemplate = (order, context) => {
	const { emailNotices } = context;
	return {
		subject: `${summarise(order, emailNotices?.entries ?? [])} depuis votre extrait — commande ${order.order_number}`,
		preheader: emailNotices?.entries[0]?.sentence ?? "Voici ce que le BODACC a publié depuis.",
		title: "Publié depuis votre extrait",
		blocks: [
			greetCustomer(order),
			...(emailNotices ? describeNotices(emailNotices) : ["Une annonce a été publiée au BODACC depuis votre extrait."]),
			{ descriptionList: identifyOrder(order) },
			linkTracking(context),
			...(emailNotices ? explainWatch(emailNotices) : []),
		],
	};
};

function summarise({ company_name }: Order, entries: readonly PublishedEntry[]): string {
	const [first] = entries;
	if (entries.length > 1) return `${entries.length} annonces ont été publiées sur ${company_name}`;
	if (first?.withdraws) return `Une annonce sur ${company_name} a été annulée`;
	return `Une annonce a été publiée sur ${company_name}`;
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
