import { listStale } from "../../../server/environment/dated-checks.ts";
import type { RecipientKind } from "./recipient-kinds.ts";

/**
 * What recipients of extracts publish about the documents that they take, each with its source and the day on which it was compared with
 * it. A test fails twelve months after that day, and the doctor warns a month before. A row says facts in our own words; what has no
 * source is not said. The first check was made with stored copies of the pages.
 */
export interface RecipientFact {
	kind: RecipientKind;
	/** Who, and for what: « Qonto, mise à jour du compte ». */
	recipient: string;
	asks: string;
	/** The greatest age of the extract in months; null: none is published; `no-extract`: the row asks for none. */
	age: number | null | "no-extract";
	/** File or paper, original or copy, as far as it is published. */
	form: string | null;
	source: { publisher: string; url: string };
	/** ISO date. */
	checkedOn: string;
}

const checkedOn = "2026-11-30";

export const recipientFacts: readonly RecipientFact[] = [
	{
		kind: "banque",
		recipient: "Qonto, mise à jour du compte",
		asks: "Kbis, avis de situation Sirene ou extrait d’immatriculation de l’INPI",
		age: 3,
		form: "Fichier, à joindre dans l’espace client",
		source: {
			publisher: "Aide de Qonto",
			url: "https://support-fr.qonto.com/hc/en-us/articles/23947684190865-How-can-I-update-my-personal-and-business-information",
		},
		checkedOn,
	},
	{
		kind: "banque",
		recipient: "Qonto, contrôle du compte ou d’une opération",
		asks: "Votre Kbis, ou celui de la société qui paie ou qui reçoit",
		age: null,
		form: null,
		source: {
			publisher: "Aide de Qonto",
			url: "https://support-it.qonto.com/hc/en-us/articles/23949906169873-My-account-is-the-subject-of-an-information-request",
		},
		checkedOn,
	},
	{
		kind: "banque",
		recipient: "HSBC, compte d’entreprise",
		asks: "Kbis, ou extrait équivalent d’un registre officiel",
		age: 3,
		form: null,
		source: { publisher: "HSBC France", url: "https://business.hsbc.fr/fr-fr/fr/generic/hsbc-safeguard" },
		checkedOn,
	},
	{
		kind: "banque",
		recipient: "Propulse, du Crédit Agricole",
		asks: "Kbis pour une société commerciale ou un commerçant\u00a0; les autres s’en passent",
		age: null,
		form: null,
		source: { publisher: "Propulse by CA", url: "https://propulsebyca.fr/compte-pro/refus-ouverture-compte-pro" },
		checkedOn,
	},
	{
		kind: "banque",
		recipient: "Revolut Business, adresse d’activité",
		asks: "Extrait du registre, l’une des preuves possibles",
		age: 3,
		form: null,
		source: {
			publisher: "Aide de Revolut",
			url: "https://help.revolut.com/en-LT/business/help/setting-up-an-account/onboarding/proof-of-operating-address",
		},
		checkedOn,
	},
	{
		kind: "banque",
		recipient: "Blank, compte de micro-entreprise",
		asks: "Pièce d’identité et numéro SIRET",
		age: "no-extract",
		form: null,
		source: { publisher: "Blank", url: "https://www.blank.app/compte-professionnel/document-ouverture-compte" },
		checkedOn,
	},

	{
		kind: "etablissement-de-paiement",
		recipient: "PayPlug, compte d’une société",
		asks: "Kbis\u00a0; l’avis de situation Sirene est refusé",
		age: 3,
		form: "Fichier, à déposer en ligne et non par e-mail",
		source: { publisher: "Aide de PayPlug", url: "https://support.payplug.com/hc/fr/articles/360021079992" },
		checkedOn,
	},
	{
		kind: "etablissement-de-paiement",
		recipient: "GoCardless, vérification du dirigeant",
		asks: "Kbis du greffe ou d’Infogreffe, si on vous le demande",
		age: 3,
		form: "Fichier ou photo en couleurs, document entier",
		source: {
			publisher: "Aide de GoCardless",
			url: "https://support.gocardless.com/hc/en-ca/articles/17144910473244-France-Supporting-documents",
		},
		checkedOn,
	},
	{
		kind: "etablissement-de-paiement",
		recipient: "PayGreen, micro-entreprise",
		asks: "Extrait du registre, si vous êtes inscrit au RCS",
		age: 3,
		form: null,
		source: {
			publisher: "Aide de PayGreen",
			url: "https://faq.paygreen.io/inscription/compte-sans-vad/justificatifs-micro-entreprise/",
		},
		checkedOn,
	},
	{
		kind: "etablissement-de-paiement",
		recipient: "Stripe",
		asks: "Document officiel de la société, en cours de validité",
		age: null,
		form: "PDF tiré de l’original sans transformation, ou photo du papier avec tous ses bords\u00a0; pas de capture d’écran",
		source: { publisher: "Documentation de Stripe", url: "https://docs.stripe.com/acceptable-verification-documents" },
		checkedOn,
	},
	{
		kind: "etablissement-de-paiement",
		recipient: "Airwallex, compte rattaché à une plateforme",
		asks: "Extrait d’immatriculation de la société",
		age: null,
		form: null,
		source: {
			publisher: "Documentation d’Airwallex",
			url: "https://www.airwallex.com/docs/payments-for-platforms__onboard-connected-accounts__kyc-and-onboarding__native-api__business-kyc-requirements__france-(fr)",
		},
		checkedOn,
	},
	{
		kind: "etablissement-de-paiement",
		recipient: "Adyen, compte rattaché à une plateforme",
		asks: "Numéro SIRET\u00a0; un justificatif seulement si la vérification au RNE échoue",
		age: "no-extract",
		form: null,
		source: {
			publisher: "Documentation d’Adyen",
			url: "https://docs.adyen.com/platforms/verification-requirements/onboarding-guidelines/france",
		},
		checkedOn,
	},
	{
		kind: "etablissement-de-paiement",
		recipient: "Mollie",
		asks: "Pièce d’identité du représentant, compte bancaire, site\u00a0; aucun Kbis dans la liste",
		age: "no-extract",
		form: null,
		source: {
			publisher: "Aide de Mollie",
			url: "https://help.mollie.com/hc/en-us/articles/25897821634322-What-does-Mollie-need-to-verify-my-account",
		},
		checkedOn,
	},

	{
		kind: "marche-public",
		recipient: "Acheteur public",
		asks: "Numéro SIREN\u00a0: l’acheteur consulte lui-même les registres",
		age: "no-extract",
		form: null,
		source: { publisher: "Marchés Online", url: "https://www.infos.marchesonline.com/?p=434" },
		checkedOn,
	},
	{
		kind: "marche-public",
		recipient: "Acheteur public qui ne peut pas consulter les registres",
		asks: "Extrait du registre, en cas d’impossibilité technique seulement",
		age: null,
		form: null,
		source: { publisher: "Marchés Online", url: "https://www.infos.marchesonline.com/?p=434" },
		checkedOn,
	},
	{
		kind: "marche-public",
		recipient: "Candidat établi à l’étranger",
		asks: "Document équivalent, de l’autorité de son pays",
		age: null,
		form: null,
		source: { publisher: "Marchés Online", url: "https://www.infos.marchesonline.com/?p=434" },
		checkedOn,
	},
	{
		kind: "marche-public",
		recipient: "Administration, hors marché public",
		asks: "Numéro SIREN, depuis le 1er\u00a0novembre 2021",
		age: "no-extract",
		form: null,
		source: {
			publisher: "Juritravail",
			url: "https://www.juritravail.com/Actualite/entreprises-fin-du-kbis-pour-les-demarches-administratives/Id/368854",
		},
		checkedOn,
	},

	{
		kind: "bailleur",
		recipient: "Kinto, voiture en location longue durée",
		asks: "Kbis ou avis de situation Sirene",
		age: 3,
		form: null,
		source: { publisher: "Kinto", url: "https://www.kinto-mobility.eu/fr/fr/kinto-one/articles/conditions-acceptation-lld" },
		checkedOn,
	},
	{
		kind: "bailleur",
		recipient: "Leazing, voiture en location",
		asks: "Kbis",
		age: null,
		form: null,
		source: { publisher: "Leazing", url: "https://www.leazing.fr/justificatifs/" },
		checkedOn,
	},
	{
		kind: "bailleur",
		recipient: "Coverimmo, dossier de bail commercial",
		asks: "Kbis et registre des bénéficiaires effectifs\u00a0; pour un artisan, extrait D1 ou avis de situation Sirene",
		age: 3,
		form: null,
		source: {
			publisher: "Coverimmo",
			url: "https://coverimmo.com/garanties/certification-du-locataire/composition-du-dossier-locataire/",
		},
		checkedOn,
	},
	{
		kind: "bailleur",
		recipient: "Bailleur d’un logement",
		asks: "Extrait K ou Kbis, si vous exercez dans une entreprise commerciale",
		age: 3,
		form: "Copie\u00a0; le bailleur peut demander à voir l’original",
		source: {
			publisher: "Cabinet Neu-Janicki, décret n°\u00a02015-1437",
			url: "https://neujanicki.com/pieces-justificatives-a-demander-au-locataire-et-a-la-caution",
		},
		checkedOn,
	},
	{
		kind: "bailleur",
		recipient: "MorningCroissant, logement loué à un dirigeant",
		asks: "Kbis, pour un gérant salarié",
		age: 3,
		form: "Fichier, en réponse à un e-mail",
		source: {
			publisher: "Aide de MorningCroissant",
			url: "https://www.morningcroissant.fr/aide/documents-a-fournir-pour-le-dossier-locataire-dans-le-cadre-d-une-location-longue-duree-123",
		},
		checkedOn,
	},

	{
		kind: "place-de-marche",
		recipient: "Amazon",
		asks: "Licence ou enregistrement d’entreprise",
		age: null,
		form: null,
		source: { publisher: "Amazon, guide d’inscription", url: "https://sell.amazon.fr/vendre-sur-internet/guide-d-inscription" },
		checkedOn,
	},
	{
		kind: "place-de-marche",
		recipient: "Fnac Darty, inscription",
		asks: "Kbis",
		age: null,
		form: null,
		source: { publisher: "Fnac Darty Marketplace", url: "https://fnacdartymarketplace.com/portfolio/faq/" },
		checkedOn,
	},
	{
		kind: "place-de-marche",
		recipient: "Fnac Darty, nouvelles coordonnées",
		asks: "Kbis",
		age: 3,
		form: null,
		source: { publisher: "Fnac Darty Marketplace", url: "https://fnacdartymarketplace.com/en/manage-my-seller-account/" },
		checkedOn,
	},
	{
		kind: "place-de-marche",
		recipient: "Alltricks",
		asks: "Kbis",
		age: 3,
		form: "PDF, PNG, JPEG ou GIF, 5 Mo au plus",
		source: {
			publisher: "Aide d’Alltricks",
			url: "https://alltricks-support.freshdesk.com/support/solutions/articles/101000463018-how-can-i-be-sure-that-my-store-is-properly-configured-",
		},
		checkedOn,
	},
	{
		kind: "place-de-marche",
		recipient: "ComeUp",
		asks: "Preuve d’immatriculation\u00a0: Kbis ou avis de situation Sirene",
		age: 3,
		form: null,
		source: {
			publisher: "Aide de ComeUp",
			url: "https://support-en.comeup.com/article/1524-my-additional-document-was-refused-why",
		},
		checkedOn,
	},
	{
		kind: "place-de-marche",
		recipient: "Places de marché payées par HiPay",
		asks: "Kbis",
		age: 3,
		form: null,
		source: {
			publisher: "Documentation de HiPay",
			url: "https://developer.hipay.com/doc/hipay-marketplace-cashout-mirakl-integration/",
		},
		checkedOn,
	},
	{
		kind: "place-de-marche",
		recipient: "eBay",
		asks: "Numéro d’immatriculation\u00a0; un document seulement si la vérification automatique échoue",
		age: "no-extract",
		form: null,
		source: {
			publisher: "Aide d’eBay, en italien",
			url: "https://www.ebay.it/help/account/regulatory/digital-services-act?id=5452",
		},
		checkedOn,
	},

	{
		kind: "autorite-etrangere",
		recipient: "Pays de la convention de La Haye\u00a0: apostille",
		asks: "Original du Kbis, apostillé par les notaires depuis le 1er\u00a0mai 2025\u00a0; la demande s’ouvre en ligne",
		age: 3,
		form: "Papier du greffe, par courrier ou au guichet",
		source: {
			publisher: "Les Echos Formalités",
			url: "https://formalites.lesechos.fr/actualites/reforme-2025-de-l-apostille-plusieurs-points-a-noter-depuis-son-entree-en-vigueur/",
		},
		checkedOn,
	},
	{
		kind: "autorite-etrangere",
		recipient: "Apostille d’un acte signé électroniquement",
		asks: "Acte qui porte une signature électronique qualifiée",
		age: null,
		form: "Fichier\u00a0: toute la démarche se fait en ligne",
		source: {
			publisher: "Les Echos Formalités",
			url: "https://formalites.lesechos.fr/actualites/reforme-2025-de-l-apostille-plusieurs-points-a-noter-depuis-son-entree-en-vigueur/",
		},
		checkedOn,
	},
	{
		kind: "autorite-etrangere",
		recipient: "Autre pays\u00a0: légalisation",
		asks: "Original du Kbis, signé par le greffe",
		age: 3,
		form: "Papier",
		source: { publisher: "Lextenso Services", url: "https://lextenso-services.hdco.eu/nos-services/legalisation-apostille-traduction" },
		checkedOn,
	},
	{
		kind: "autorite-etrangere",
		recipient: "Notaires, redevance de l’apostille",
		asks: "12\u00a0€ TTC par acte pour une personne physique, 24\u00a0€ pour une personne morale",
		age: "no-extract",
		form: null,
		source: { publisher: "GM Trad, arrêté du 10\u00a0avril 2025", url: "https://gmtrad.fr/new23.php" },
		checkedOn,
	},
	{
		kind: "autorite-etrangere",
		recipient: "Autorité qui ne lit pas le français",
		asks: "Traduction certifiée du Kbis",
		age: null,
		form: null,
		source: {
			publisher: "Legal Translation",
			url: "https://www.legal-translation.fr/en/guide/documents-needed-certified-kbis-translation",
		},
		checkedOn,
	},
	{
		kind: "autorite-etrangere",
		recipient: "Union européenne, dispense d’apostille",
		asks: "Réservée à l’état civil et à certaines élections\u00a0: un Kbis n’en profite pas (règlement 2016/1191)",
		age: "no-extract",
		form: null,
		source: {
			publisher: "Gouvernement des Pays-Bas",
			url: "https://www.paysbasetvous.nl/voyager-resider/legaliser-des-documents-etrangers-necessaires-aux-pays-bas/simplification-de-l-utilisation-des-documents-publics-entre-pays-de-l-ue",
		},
		checkedOn,
	},
	{
		kind: "autorite-etrangere",
		recipient: "Union européenne, registres reliés",
		asks: "Rien\u00a0: l’autorité cherche elle-même votre société sur le portail e-Justice",
		age: "no-extract",
		form: null,
		source: { publisher: "Commission européenne", url: "https://joinup.ec.europa.eu/collection/eupl/news/business-registers" },
		checkedOn,
	},
	{
		kind: "autorite-etrangere",
		recipient: "Union européenne, à partir du 31\u00a0juillet 2028",
		asks: "Certificat de société de l’Union, gratuit pour la société une fois par an au moins (directive 2025/25)",
		age: "no-extract",
		form: "Fichier",
		source: {
			publisher: "Lexgo",
			url: "https://lexgo.be/fr/actualites-et-articles/14036-no-more-secrets-enhancing-cross-border-corporate-transparency",
		},
		checkedOn,
	},
];

/** The facts that must be compared with their source again. @param months after their last check. */
export const listStaleRecipientFacts = (now: Date, months?: number): RecipientFact[] => listStale(recipientFacts, now, months);
