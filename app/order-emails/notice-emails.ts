import { watchPeriod } from "../catalogue/guarantee.ts";
import type { ToldNotices } from "../extract-watch/describe-told.server.ts";
import { formatDoubt, formatIsoDay, formatSource, type PublishedEntry } from "../extract-watch/extract-watch.ts";
import type { EmailBlock } from "../mail/email.ts";
import type { Order } from "../orders/order.ts";
import { greetCustomer, identifyOrder, linkTracking, type OrderEmailTemplate } from "./email-parts.ts";

/** What was published since the extract; withdrawn notices only where an earlier e-mail told them. */
export const extractNotices: OrderEmailTemplate = (order, context) => {
	const { toldNotices } = context;
	return {
		subject: `${summarise(order, toldNotices?.entries ?? [])} depuis votre extrait — commande ${order.order_number}`,
		preheader: toldNotices?.entries[0]?.sentence ?? "Voici ce que le BODACC a publié depuis.",
		title: "Publié depuis votre extrait",
		blocks: [
			greetCustomer(order),
			...(toldNotices ? describeNotices(toldNotices) : ["Une annonce a été publiée au BODACC depuis votre extrait."]),
			{ descriptionList: identifyOrder(order) },
			linkTracking(context),
			...(toldNotices ? explainWatch(toldNotices) : []),
		],
	};
};

function summarise({ company_name }: Order, entries: readonly PublishedEntry[]): string {
	const [first] = entries;
	if (entries.length > 1) return `${entries.length} annonces ont été publiées sur ${company_name}`;
	if (first?.withdraws) return `Une annonce sur ${company_name} a été annulée`;
	return `Une annonce a été publiée sur ${company_name}`;
}

function describeNotices(told: ToldNotices): EmailBlock[] {
	return [
		...told.entries.flatMap((entry): EmailBlock[] => [
			[entry.sentence, entry.note, formatDoubt(entry, told, "votre")].filter(Boolean).join(" "),
			{ link: `Lire l’annonce du ${formatIsoDay(entry.publishedOn)}`, url: entry.url },
		]),
		"Si vous devez remettre un extrait qui en tient compte, vous pouvez en commander un nouveau.",
		{ action: "Commander à jour", url: told.orderUrl },
		formatSource(told),
	];
}

const explainWatch = ({ endsOn, endUrl }: ToldNotices): EmailBlock[] => [
	{ heading: "Pourquoi ce message ?" },
	`Votre commande comprend la surveillance de l’extrait pendant ${watchPeriod} après sa livraison, ici jusqu’au ${formatIsoDay(endsOn)} : nous vous prévenons si une annonce paraît au BODACC sur l’entreprise.`,
	{ link: "Ne plus surveiller cet extrait", url: endUrl },
];
