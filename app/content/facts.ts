import { href } from "react-router";
import type { Environment } from "../../server/environment.ts";
import { cents, formatEuros, splitVat } from "../catalogue/money.ts";
import { describeOpeningHours, parseOpeningHours } from "../catalogue/opening-hours.ts";
import { describeDuration, retention } from "../catalogue/retention.ts";
import { postedWithin, services } from "../catalogue/services.ts";
import { subscription } from "../catalogue/subscription.ts";
import { termsVersion } from "../catalogue/terms-version.ts";

const longDay = new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone: "UTC" });

/** An ISO date → « 21 novembre 2026 », « 1er janvier 2025 ». */
const inWords = (day: string) => longDay.format(new Date(day)).replace(/^1 /, "1er ");

/** Every value that a text may name between braces. */
export function factsOf(environment: Environment) {
	const { shop, officialPrice } = environment;
	const { standard, express, postal } = services;
	return {
		shopName: shop.name,
		legalEntity: shop.legalEntity,
		shopAddress: shop.address,
		shopSiren: shop.siren,
		shopVat: shop.vat,
		shopPhone: shop.phone.replaceAll(" ", "\u00a0"),
		shopEmail: shop.email,
		supportHours: shop.supportHours,
		mediator: shop.mediator,
		host: shop.host,
		openingHours: describeOpeningHours(parseOpeningHours(environment.openingHours)),

		standardName: standard.name,
		standardDelivery: standard.delivery,
		standardTimeline: standard.timeline,
		standardPrice: formatEuros(standard.price),
		standardPriceExclVat: formatEuros(splitVat(standard.price).ht),
		expressName: express.name,
		expressDelivery: express.delivery,
		expressTimeline: express.timeline,
		expressPrice: formatEuros(express.price),
		expressPriceExclVat: formatEuros(splitVat(express.price).ht),
		postalName: postal.name,
		postalDelivery: postal.delivery,
		postalTimeline: postedWithin,
		postalPrice: formatEuros(postal.price),
		postalPriceExclVat: formatEuros(splitVat(postal.price).ht),
		postalBasePrice: formatEuros(postal.basePrice),
		postalSupplement: formatEuros(postal.postalSupplement),
		subscriptionName: subscription.name,
		subscriptionFirstPrice: formatEuros(subscription.firstPrice),
		subscriptionMonthlyPrice: formatEuros(subscription.monthlyPrice),
		officialPrice: formatEuros(cents(officialPrice.cents)),
		officialPriceDate: inWords(officialPrice.date),
		officialPriceSource: officialPrice.source,

		ordersRetention: describeDuration(retention.orders),
		invoicesRetention: describeDuration(retention.invoices),
		marketingRetention: describeDuration(retention.marketing),
		newsletterRequestsRetention: describeDuration(retention.newsletterRequests),
		messagesRetention: describeDuration(retention.messages),
		logsRetention: describeDuration(retention.logs),
		extractsRetention: describeDuration(retention.deliveredExtracts),

		latePenalty: environment.invoices.latePenalty,

		paymentProvider: environment.stripe
			? "Stripe (Stripe Payments Europe, Limited, Irlande)"
			: "la page de paiement de démonstration, qui n’encaisse rien",
		cardSentence: environment.stripe
			? "Le numéro de votre carte est saisi chez ce prestataire ; il ne passe jamais par nos serveurs."
			: "Cette démonstration ne connaît que des cartes de test : n’y saisissez jamais une vraie carte.",
		mailCarrier: environment.smtpUrl
			? "notre prestataire d’envoi d’e-mails"
			: "notre propre serveur, qui garde les messages sans les expédier",

		termsDay: inWords(termsVersion),
		termsUrl: href("/cgv"),
		privacyUrl: href("/politique-confidentialite"),
		rightsUrl: href("/politique-rgpd"),
		newsletterUrl: href("/lettre-information"),
		orderUrl: href("/commande"),
		trackingUrl: href("/suivi-commande"),
		withdrawalUrl: href("/retractation"),
	} satisfies Record<string, string>;
}
