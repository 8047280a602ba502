import type { Environment } from "../../server/environment/environment.ts";
import { typedEntries, typedFromEntries } from "../../server/types/objects.ts";
import { correctionPeriod, guaranteePeriod, maxCorrections, refundHoldHours, replyTime, watchPeriod } from "../catalogue/after-sale.ts";
import { cancellableWhile, executedWhen } from "../catalogue/cancellation.ts";
import { isFrenchHoliday } from "../catalogue/holidays.ts";
import { formatHour, formatLongDay, zone } from "../catalogue/instants.ts";
import {
	alertLinkDays,
	alertLinkSpacing,
	confirmationCookieDays,
	confirmationHours,
	customerLinkMinutes,
	customerLinkSpacing,
	customerSessionDays,
	documentLinkHours,
	maxAttachedSize,
	maxFollowedCompanies,
	recipientFilesDays,
	shareRetentionDays,
	trackingLinkDays,
} from "../catalogue/link-lifetimes.ts";
import { describeMeansOfPayment, type PaymentTexts } from "../catalogue/means-of-payment.ts";
import { cents, formatEuros, splitVat } from "../catalogue/money.ts";
import { formatOpeningHours, type OpeningCalendar, parseOpeningHours } from "../catalogue/opening-hours.ts";
import { computePromise } from "../catalogue/promise.ts";
import { archivedContractCents, draftDays, formatPeriod, orderFormHours, retention } from "../catalogue/retention.ts";
import { paperNotice, pdfDelivery, type ServiceCode, serviceCodes, services } from "../catalogue/services.ts";
import { maxLines } from "../catalogue/settings/capacity.ts";
import { minutesBetween } from "../catalogue/status-interval.ts";
import { subscription } from "../catalogue/subscription.ts";
import { textVersions } from "../catalogue/text-versions.ts";
import { describeTransits } from "../catalogue/transit.ts";
import { formatSupportHours } from "../ui/french-spaces.ts";
import type { Variables } from "./fill-in.ts";
import { readRichText } from "./read-text.ts";

/** An ISO date → « 21 novembre 2026 », « 1er janvier 2025 ». */
const formatDate = (day: string) => formatLongDay(new Date(day));

const specimenSentence = "Cette démonstration n’envoie que des spécimens sans valeur, qu’elle produit elle-même, à toute heure.";

export type TextVariables = ReturnType<typeof gatherTextVariables>;

/** Returns all variables that texts may use. */
export function gatherTextVariables(environment: Environment, payment: PaymentTexts) {
	const { shop, officialPrice } = environment;
	const { postal } = services;
	const hours = parseOpeningHours(environment.openingHours);
	return {
		shopName: shop.name,
		legalEntity: shop.legalEntity,
		shopAddress: shop.address,
		shopSiren: shop.siren,
		shopRcs: shop.rcs,
		shopVat: shop.vat,
		shopPhone: shop.phone.replaceAll(" ", "\u00a0"),
		shopEmail: shop.email,
		supportHours: `${formatSupportHours(shop.supportHours)}, heure de Paris`,
		mediator: shop.mediator,
		host: shop.host,
		publisher: shop.publisher,
		siteAddress: environment.baseUrl,
		openingHours: formatOpeningHours(hours),
		replyTime,

		...createServiceVariables(),
		pdfDelivery,
		postalReceived: postal.timeline,
		paperNotice,
		postalTransit: describeTransits(),
		postalBasePrice: formatEuros(postal.basePrice),
		postalSupplement: formatEuros(postal.postalSupplement),
		...computeWorkedExamples({ ...hours, isHoliday: isFrenchHoliday }),
		cancellableWhile: cancellableWhile.any,
		executedWhen: executedWhen.any,
		cancellableWhileEmail: cancellableWhile.email,
		cancellableWhilePostal: cancellableWhile.postal,
		guaranteePeriod,
		watchPeriod,
		...getWatchVariables(false),
		refundHold: formatPeriod({ hours: refundHoldHours }),
		correctionPeriod,
		maxCorrections: String(maxCorrections),
		subscriptionName: subscription.name,
		subscriptionFirstPrice: formatEuros(subscription.firstPrice),
		subscriptionMonthlyPrice: formatEuros(subscription.monthlyPrice),
		officialPrice: `${formatEuros(cents(officialPrice.cents))}\u00a0${officialPrice.tax}`,
		officialPriceDate: officialPrice.checked
			? `${formatDate(officialPrice.date)}, vérifié le ${formatDate(officialPrice.checked)}`
			: formatDate(officialPrice.date),
		officialPriceSource: officialPrice.source,

		ordersRetention: formatPeriod(retention.orders),
		archivedContract: formatEuros(archivedContractCents),
		contractsRetention: formatPeriod(retention.contracts),
		unpaidOrdersRetention: formatPeriod(retention.unpaidOrders),
		invoicesRetention: formatPeriod(retention.invoices),
		marketingRetention: formatPeriod(retention.marketing),
		newsletterRequestsRetention: formatPeriod(retention.newsletterRequests),
		messagesRetention: formatPeriod(retention.messages),
		logsRetention: formatPeriod(retention.logs),
		extractsRetention: formatPeriod(retention.deliveredExtracts),
		maxLines: String(maxLines),
		maxFollowedCompanies: String(maxFollowedCompanies),
		alertLinkLifetime: formatPeriod({ days: alertLinkDays }),
		alertLinkInterval: `${alertLinkSpacing}\u00a0minutes`,
		customerLinkLifetime: `${customerLinkMinutes}\u00a0minutes`,
		customerLinkInterval: `${customerLinkSpacing}\u00a0minutes`,
		customerSessionLifetime: formatPeriod({ days: customerSessionDays }),
		trackingLinkLifetime: formatPeriod({ days: trackingLinkDays }),
		shareRetention: formatPeriod({ days: shareRetentionDays }),
		maxAttachedSize,
		recipientFilesLifetime: formatPeriod({ days: recipientFilesDays }),
		documentLinkLifetime: formatPeriod({ hours: documentLinkHours }),
		confirmationLifetime: formatPeriod({ hours: confirmationHours }),
		confirmationCookieLifetime: formatPeriod({ days: confirmationCookieDays }),
		draftRetention: formatPeriod({ days: draftDays }),
		orderFormRetention: formatPeriod({ hours: orderFormHours }),

		latePenalty: environment.invoices.latePenalty,

		paymentProvider: payment.name,
		meansOfPayment: describeMeansOfPayment(payment),
		cardSentence: payment.cardSentence,
		paymentPolicies: readRichText(payment.policies),
		mailCarrier: environment.smtpUrl
			? "notre prestataire d’envoi d’e-mails"
			: "notre propre serveur, qui enregistre les messages sans les expédier",
		mailSender: environment.mailFrom.address,

		connectionSentence: environment.baseUrl.startsWith("https://")
			? "Toutes les pages sont servies en HTTPS (TLS), et le site demande à votre navigateur de n’utiliser que cette connexion chiffrée (HSTS)."
			: "Cette installation répond en HTTP, sans chiffrement : c’est une démonstration, n’y saisissez pas de vraies données.",
		documentSentence:
			environment.issuer === "manual"
				? "Nous contrôlons chaque extrait avant de vous l’envoyer : le PDF est entier, il s’ouvre et ne contient ni programme ni pièce jointe. Son SIREN et sa date sont vérifiés par le système ou, s’il ne peut pas les lire, par une personne."
				: specimenSentence,
		/** Follows sentences about real extracts. */
		specimenNote: environment.issuer === "specimen" ? specimenSentence : "",
		backupSentence: environment.production
			? `Nos sauvegardes sont ${environment.shop.backups}. Une donnée effacée du site disparaît donc aussi des sauvegardes dans ce délai. Nous conservons aussi une copie chiffrée de chaque commande payée, à côté des documents, pour ne pas la perdre en cas de panne. Cette copie est supprimée quand vos coordonnées sont effacées de la commande.`
			: "Cette démonstration n’a pas de sauvegarde. Elle conserve seulement une copie chiffrée de chaque commande payée, supprimée quand vos coordonnées sont effacées de la commande.",

		citySource: environment.addressApiUrl ? "Service public de géocodage (IGN)" : "Insee et La Poste, réunies par Etalab",
		cityLicence: environment.addressApiUrl ? "Licence Ouverte 2.0" : "MIT",

		documentKeeper: environment.s3 ? "notre espace de stockage en ligne" : "le dossier des documents, sur notre serveur",
		probeInterval: `${minutesBetween}\u00a0minutes`,
		probedDays: String(retention.probes.days),

		termsDay: formatDate(textVersions.terms.date),
	} satisfies Variables;
}

/** Conditions of texts: « {?watched} » stands only while the bulletin is read (docs/rules.md, R205). Without them nothing is promised. */
export const getWatchVariables = (watched: boolean) => ({ watched: watched ? "oui" : "", unwatched: watched ? "" : "oui" });

/** Returns the variables of each service: {standardName}, {expressPrice}. */
function createServiceVariables() {
	const variables = serviceCodes.flatMap((code) => {
		const { name, delivery, sentWithin, price } = services[code];
		const { ht, vat } = splitVat(price);
		return [
			[`${code}Name`, name],
			[`${code}Delivery`, delivery],
			[`${code}Timeline`, sentWithin],
			[`${code}Price`, formatEuros(price)],
			[`${code}PriceExclVat`, formatEuros(ht)],
			[`${code}Vat`, formatEuros(vat)],
		] as const;
	});
	return typedFromEntries(variables);
}

/** The payments of the examples, in weeks without holidays except the last one. */
const payments = {
	Monday: "2026-11-23T10:00+01:00", // a Monday at 10 h
	Friday: "2026-11-27T17:00+01:00", // a Friday at 17 h
	Saturday: "2026-11-28T11:00+01:00", // a Saturday at 11 h
	Holiday: "2027-05-14T17:00+02:00", // a Friday at 17 h, before Whit Monday
} as const;

type Example = `${ServiceCode}Paid${keyof typeof payments}`;

const weekday = new Intl.DateTimeFormat("fr-FR", { weekday: "long", timeZone: zone });
const date = new Intl.DateTimeFormat("fr-FR", { dateStyle: "short", timeZone: zone });

/**
 * Computes the promise of each service for these payments: « le jour même avant 12 h », « le lundi suivant avant 9 h ».
 * The examples have no date, so that texts can use them in any year.
 */
export function computeWorkedExamples(calendar: OpeningCalendar): Record<Example, string> {
	const examples = serviceCodes.flatMap((code) =>
		typedEntries(payments).map(([name, instant]) => {
			const paid = new Date(instant);
			return [`${code}Paid${name}`, formatPromise(paid, computePromise(code, paid, calendar))] as const;
		}),
	);
	return typedFromEntries(examples);
}

function formatPromise(paid: Date, promise: Date): string {
	const day = date.format(promise) === date.format(paid) ? "le jour même" : `le ${weekday.format(promise)} suivant`;
	return `${day} avant ${formatHour(promise)}`;
}
