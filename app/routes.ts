import { index, type RouteConfig, route } from "@react-router/dev/routes";
import { serviceCodes } from "./catalogue/services.ts";
import { recipientKinds } from "./content/recipients/recipient-kinds.ts";
import { redirects } from "./routes/redirect-table.ts";

/** Content pages: the page of each URL is app/content/texts/<url>.md. */
const contentPages = (...paths: string[]) => paths.map((path) => route(path, "routes/content-page.tsx", { id: path }));

/** Every URL of the shop → its file. Texts and URLs are French, code is English. */
export default [
	index("routes/home.tsx"),

	// search
	route("recherche", "routes/search.tsx"),
	route("entreprise/:siren", "routes/company.tsx"),
	route("api/entreprises", "routes/api/companies.ts"),
	route("api/entreprises/suggestions", "routes/api/company-suggestions.ts"),
	route("api/entreprises/:siren", "routes/api/company.ts"),
	route("api/entreprises/:siren/annonces", "routes/api/published-notices.ts"),
	route("api/adresse/search", "routes/api/addresses.ts"),

	// order and pay
	route("commande", "routes/order.tsx", { id: "order" }),
	route("commande/plusieurs", "routes/order-list.tsx"),
	route("commande/:siren", "routes/order.tsx"),
	route("paiement", "routes/payment.tsx"),
	route("paiement/reprendre/:token", "routes/resume-payment.tsx"),
	route("confirmation/:sessionId?", "routes/confirmation.tsx"),
	route("confirmation/:sessionId/direct", "routes/api/confirmation-live.ts"),
	route("bac-a-sable/:sessionId", "routes/sandbox-payment.tsx"),
	route("api/create-payment", "routes/api/create-payment.ts"),
	route("api/stripe/webhook", "routes/api/stripe-webhook.ts"),

	// follow and download
	route("suivi-commande", "routes/tracking/tracking-form.tsx"),
	route("numero-perdu", "routes/tracking/lost-number.tsx"),
	route("suivi/:number", "routes/tracking/order.tsx"),
	route("retractation", "routes/withdrawal.tsx"),
	route("suivi/:number/ensemble", "routes/tracking/purchase.tsx"),
	route("suivi/:number/ensemble/acces/:token", "routes/tracking/tracking-link.tsx", { id: "purchase-link" }),
	route("suivi/:number/ensemble/direct", "routes/api/tracking-live.ts", { id: "purchase-live" }),
	route("suivi/:number/ensemble/ligne/:line", "routes/tracking/purchase-line.ts"),
	route("suivi/:number/commande-groupee", "routes/tracking/purchase-of-order.ts"),
	route("suivi/:number/acces/:token", "routes/tracking/tracking-link.tsx"),
	route("suivi/:number/facture", "routes/invoice-correction.tsx"),
	route("suivi/:number/message", "routes/tracking/order-message.tsx"),
	route("suivi/:number/direct", "routes/api/tracking-live.ts"),
	route("suivi/surveillance/:token", "routes/tracking/watch-end.tsx"),
	route("documents/ensemble/:token", "routes/tracking/purchase-files.tsx"),
	route("documents/:token", "routes/document.tsx"),
	route("partage/:token", "routes/sharing/share.tsx"),
	route("partage/fichier/:key", "routes/sharing/shared-file.tsx"),
	route("verifier", "routes/verify/verify-file.tsx"),
	route("verifier/:document", "routes/verify/verify-document.tsx"),
	route("api/verifier", "routes/api/verify-file.ts"),
	route("api/suivi", "routes/api/track-order.ts"),

	// the customer's space
	route("mes-commandes", "routes/customer-space/purchases.tsx"),
	route("mes-commandes/lien/:token", "routes/customer-space/link.tsx"),
	route("mes-commandes/commande/:number", "routes/customer-space/order.ts"),
	route("mes-commandes/factures", "routes/customer-space/invoices.tsx"),
	route("mes-commandes/factures/:file", "routes/customer-space/invoices-file.ts"),
	route("mes-commandes/identites", "routes/customer-space/identities.tsx"),
	route("mes-commandes/connexions", "routes/customer-space/sessions.tsx"),

	// texts
	...contentPages("a-propos", "mission", "equipe", "carrieres"),
	...contentPages(...serviceCodes.map((code) => `services/kbis-${code}`), "tarifs"),
	...contentPages("aide", "faq", "guide-kbis", "destinataires", ...recipientKinds.map((kind) => `destinataires/${kind}`)),
	...contentPages("mentions-legales", "cgv", "politique-confidentialite", "politique-rgpd", "cookies", "securite", "accessibilite"),
	route("cgv/version/:version", "routes/terms-version.ts"),
	route("abonnement", "routes/subscription.tsx"),
	route("contact", "routes/contact.tsx"),
	route("status-systeme", "routes/status.tsx"),
	route("support", "routes/support.tsx"),
	route("statistiques", "routes/statistics.tsx"),
	route("statistiques.csv", "routes/statistics-file.ts"),
	route("ai-je-besoin-d-un-kbis", "routes/kbis-need.tsx"),

	// the newsletter
	route("lettre-information", "routes/newsletter.tsx"),
	route("lettre-information/confirmer/:token", "routes/newsletter-confirmation.tsx"),
	route("lettre-information/desinscription/:token", "routes/newsletter-end.tsx"),

	// alerts about companies
	route("entreprise/:siren/alerte", "routes/company-alerts/follow.tsx"),
	route("alertes", "routes/company-alerts/alerts.tsx"),
	route("alertes/confirmer/:token", "routes/company-alerts/confirmation.tsx"),
	route("alertes/fin/:token", "routes/company-alerts/end-alert.tsx"),
	route("alertes/desinscription/:token", "routes/company-alerts/end-all.tsx"),
	route("alertes/:token", "routes/company-alerts/manage.tsx"),

	// for search engines and networks
	route("apercu.png", "routes/crawlers/preview-picture.ts", { id: "preview-picture" }),
	route("apercu/*", "routes/crawlers/preview-picture.ts"),
	route("robots.txt", "routes/crawlers/robots.ts"),
	route(".well-known/security.txt", "routes/crawlers/security-txt.ts"),
	route("sitemap.xml", "routes/crawlers/sitemap.ts"),
	route("sitemap-pages.xml", "routes/crawlers/sitemap-pages.ts"),
	route(":file.xml", "routes/crawlers/sitemap-companies.ts"),

	// the operators' desk
	route("bureau/connexion", "desk/sign-in/sign-in-page.tsx"),
	route("bureau/connexion/code", "desk/sign-in/code-page.tsx"),
	route("bureau/connexion/cle", "desk/sign-in/passkey.ts"),
	route("bureau/invitation/:token", "desk/sign-in/invitation-page.tsx"),
	route("bureau/second-facteur", "desk/sign-in/second-factor-page.tsx"),
	route("bureau/app.webmanifest", "desk/alerts/web-manifest.ts"),
	route("bureau/sw.js", "desk/alerts/service-worker.ts"),
	route("bureau/deconnexion", "desk/sign-in/sign-out.ts"),
	route("bureau", "desk/shell/desk.tsx", { id: "desk" }, [
		index("desk/shell/index.ts"),
		route("commandes", "desk/queue/queue-page.tsx"),
		route("commandes/:number", "desk/order/order-page.tsx"),
		route("commandes/:number/extrait", "desk/order/extract-page.tsx"),
		route("commandes/:number/e-mails/:mail", "desk/order/email-page.tsx"),
		route("commandes/:number/e-mails/:mail/fichier", "desk/order/email-file.ts"),
		route("commandes/:number/lien", "desk/order/customer-link-page.tsx"),
		route("fichiers", "desk/order/files-page.tsx"),
		route("apercu/:draft/:page", "desk/order/preview.ts"),
		route("documents/:document", "desk/order/order-document.ts"),
		route("documents/:document/factur-x", "desk/order/factur-x.ts"),
		route("specimen/:number", "desk/order/specimen.ts"),
		route("courrier", "desk/post/post-page.tsx"),
		route("courrier/lettres", "desk/post/letters-page.tsx"),
		route("chiffres", "desk/figures/figures-page.tsx"),
		route("chiffres/fichier", "desk/figures/figures-download.ts"),
		route("recherche", "desk/search/search-page.tsx", { id: "desk-search" }),
		route("direct", "desk/shell/live.ts"),
		route("etat", "desk/health/health.ts"),
		route("action", "desk/acts/act-route.ts"),
		route("argent", "desk/money/money-page.tsx"),
		route("reglages", "desk/settings/settings-page.tsx"),
		route("alertes", "desk/alerts/alerts.ts"),
		route("messages", "desk/messages/messages-page.tsx"),
		route("messages/refus", "desk/messages/bounces-page.tsx"),
		route("messages/modeles", "desk/messages/templates-page.tsx"),
		route("messages/:id", "desk/messages/message-page.tsx"),
		route("argent/:number", "desk/money/order-money-page.tsx"),
		route("argent/:number/dossier.zip", "desk/money/evidence.ts"),
		route("personnes", "desk/privacy/privacy-page.tsx"),
		route("personnes/export", "desk/privacy/person-export.ts"),
		route("equipe", "desk/people/people-page.tsx"),
		route("comptes", "desk/accounts/accounts-page.tsx"),
		route("comptes/:month", "desk/accounts/month-page.tsx"),
		route("comptes/:month/:file", "desk/accounts/month-file.ts"),
		route("comptes/exercice/:year/fec", "desk/accounts/year-file.ts"),
		route("journal", "desk/trail/trail-page.tsx"),
		route("mon-acces", "desk/access/access-page.tsx"),
		route("mon-acces/cle", "desk/access/add-passkey.ts"),
	]),

	// technical routes
	route("test", "routes/demo.tsx"),
	route("healthz", "routes/api/healthz.ts"),
	route("readyz", "routes/api/readyz.ts"),

	...Object.keys(redirects).map((path) => route(path.slice(1), "routes/redirects.ts", { id: `redirect${path}` })),
	route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
