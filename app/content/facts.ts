import { href } from "react-router";
import type { Environment } from "../../server/environment.ts";
import { guaranteeDays } from "../catalogue/guarantee.ts";
import { isFrenchHoliday } from "../catalogue/holidays.ts";
import { cents, formatEuros, splitVat } from "../catalogue/money.ts";
import { describeOpeningHours, parseOpeningHours } from "../catalogue/opening-hours.ts";
import { describeDuration, retention } from "../catalogue/retention.ts";
import { postedWithin, services } from "../catalogue/services.ts";
import { subscription } from "../catalogue/subscription.ts";
import { termsVersion } from "../catalogue/terms-version.ts";
import { workedExamples } from "./worked-examples.ts";

const longDay = new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone: "UTC" });

/** An ISO date → « 21 novembre 2026 », « 1er janvier 2025 ». */
const inWords = (day: string) => longDay.format(new Date(day)).replace(/^1 /, "1er ");

const known = new WeakMap<Environment, ReturnType<typeof gatherFacts>>();

/** Every value that a text may name between braces. An environment never changes: they are worked out once, as every page asks for them. */
export function factsOf(environment: Environment) {
	const facts = known.get(environment) ?? gatherFacts(environment);
	known.set(environment, facts);
	return facts;
}

function gatherFacts(environment: Environment) {
	const { shop, officialPrice } = environment;
	const { standard, express, postal } = services;
	const hours = parseOpeningHours(environment.openingHours);
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
		openingHours: describeOpeningHours(hours),
		replyTime: "24\u00a0h",

		standardName: standard.name,
		standardDelivery: standard.delivery,
		standardTimeline: standard.timeline,
		standardPrice: formatEuros(standard.price),
		standardPriceExclVat: formatEuros(splitVat(standard.price).ht),
		standardVat: formatEuros(splitVat(standard.price).vat),
		expressName: express.name,
		expressDelivery: express.delivery,
		expressTimeline: express.timeline,
		expressPrice: formatEuros(express.price),
		expressPriceExclVat: formatEuros(splitVat(express.price).ht),
		expressVat: formatEuros(splitVat(express.price).vat),
		postalName: postal.name,
		postalDelivery: postal.delivery,
		postalTimeline: postedWithin,
		postalReceived: postal.timeline,
		postalPrice: formatEuros(postal.price),
		postalPriceExclVat: formatEuros(splitVat(postal.price).ht),
		postalVat: formatEuros(splitVat(postal.price).vat),
		postalBasePrice: formatEuros(postal.basePrice),
		postalSupplement: formatEuros(postal.postalSupplement),
		...workedExamples({ ...hours, isHoliday: isFrenchHoliday }),
		guaranteePeriod: describeDuration({ days: guaranteeDays }),
		subscriptionName: subscription.name,
		subscriptionFirstPrice: formatEuros(subscription.firstPrice),
		subscriptionMonthlyPrice: formatEuros(subscription.monthlyPrice),
		officialPrice: formatEuros(cents(officialPrice.cents)),
		officialPriceDate: inWords(officialPrice.date),
		officialPriceSource: officialPrice.source,

		ordersRetention: describeDuration(retention.orders),
		invoicesRetention: describeDuration(retention.invoices),
		marketingRetention: describeDuration(retention.marketing),
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
		orderUrl: href("/commande"),
		trackingUrl: href("/suivi-commande"),
		withdrawalUrl: href("/retractation"),
	} satisfies Record<string, string>;
}
