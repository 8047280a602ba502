/** The agreed texts (docs/rules.md, R52), with values filled in; agreed-texts.spec.ts looks for each of them. */

/** The heading and the agreed texts of each URL. */
export const agreedPages: Record<string, { heading: string; texts?: readonly string[] }> = {
	"/": {
		heading: "Votre extrait Kbis, à une heure précise",
		texts: [
			...["Support", "À propos", "Commencer", "Commander maintenant", "Choisir ce service", "Démarrer l'abonnement", "Plus populaire"],
			...["39,00 €", "59,00 €", "44,00 €", "1,00 €", "29,85 €", "24/7"],
		],
	},
	"/recherche?q=groupe": {
		heading: "Résultats pour « groupe »",
		texts: [
			...["Tous les départements", "75 - Paris", "92 - Hauts-de-Seine", "93 - Seine-Saint-Denis", "94 - Val-de-Marne"],
			...["SAS", "SARL", "SASU", "SA", "SNC", "EURL", "Auto-entrepreneur", "Tous les secteurs", "Services informatiques"],
			...["Commerce", "Industrie", "BTP", "Services aux entreprises"],
		],
	},
	"/entreprise/552032534": {
		heading: "DANONE",
		texts: ["Accueil", "Recherche", "SIREN", "SIRET", "KBIS Standard", "KBIS Express", "KBIS Postal"],
	},
	"/commande/552032534?service=express": {
		heading: "Finaliser votre commande KBIS",
		texts: ["Informations", "Paiement", "Confirmation", "Contact Principal", "Adresse de Facturation", "Préférences"],
	},
	"/commande": {
		heading: "Finaliser votre commande KBIS",
		texts: ["Accueil", "Commander", "Informations", "SIREN, SIRET ou nom d'entreprise"],
	},
	"/suivi-commande": { heading: "Suivre votre commande" },
	"/suivi/KB-2222-2222": { heading: "Suivre votre commande" },
	"/a-propos": { heading: "ExtraitPro, en clair", texts: ["50 000+", "4,9/5", "99,8 %", "Ils nous font confiance"] },
	"/mission": { heading: "Notre mission" },
	"/equipe": { heading: "L’équipe" },
	"/carrieres": { heading: "Carrières", texts: ["Opérations", "Support client", "Développement produit"] },
	"/contact": { heading: "Contact", texts: ["7j/7, 8h-20h", "Nom", "E-mail", "Message"] },
	"/services/kbis-standard": { heading: "KBIS Standard", texts: ["39,00 €", "Commander un KBIS Standard"] },
	"/services/kbis-express": { heading: "KBIS Express", texts: ["59,00 €", "Commander un KBIS Express"] },
	"/services/kbis-postal": { heading: "KBIS Postal", texts: ["44,00 €", "5,00 €", "Commander un KBIS Postal"] },
	"/tarifs": { heading: "Tarifs", texts: ["39,00 €", "59,00 €", "44,00 €"] },
	"/aide": { heading: "Centre d’aide" },
	"/faq": { heading: "Questions fréquentes" },
	"/guide-kbis": { heading: "Guide de l’extrait Kbis" },
	"/status-systeme": { heading: "État du service", texts: ["Tout fonctionne."] },
	"/support": { heading: "Support", texts: ["Prénom", "Nom", "E-mail", "Téléphone", "Sujet", "Message", "7j/7, 8h-20h"] },
	"/cgv": { heading: "Conditions générales de vente" },
	"/mentions-legales": { heading: "Mentions légales" },
	"/politique-rgpd": { heading: "Vos droits sur vos données (RGPD)", texts: ["72 heures", "trente jours"] },
	"/politique-confidentialite": { heading: "Politique de confidentialité", texts: ["3 ans", "10 ans", "12 mois"] },
	"/cookies": { heading: "Cookies et mémoire du navigateur" },
	"/securite": { heading: "Sécurité" },
	"/test": { heading: "Essayer la boutique" },
	"/abonnement": { heading: "Abonnement KBIS", texts: ["Bientôt disponible"] },
	"/retractation": { heading: "Renoncer au contrat" },
	"/accessibilite": { heading: "Accessibilité" },
};

/** The target of each old URL (R53). */
export const agreedRedirects: Record<string, string> = {
	"/nous-contacter": "/contact",
	"/old-commande": "/commande",
	"/privacy": "/politique-confidentialite",
	"/terms": "/cgv",
	"/rgpd": "/politique-rgpd",
};

/** The links that a page must have. */
export const agreedLinks: Record<string, readonly string[]> = {
	"/aide": ["/faq", "/guide-kbis", "/contact", "/suivi-commande", "/tarifs", "/cgv", "/status-systeme"],
	"/": [
		...["/mentions-legales", "/cgv", "/politique-confidentialite", "/faq", "/mission", "/equipe", "/carrieres", "/contact", "/tarifs"],
		...["/suivi-commande", "/aide", "/guide-kbis", "/status-systeme", "/politique-rgpd", "/cookies", "/securite", "/commande", "/support"],
	],
	"/services/kbis-standard": ["/commande?service=standard"],
	"/services/kbis-express": ["/commande?service=express"],
	"/services/kbis-postal": ["/commande?service=postal"],
};

/** The agreed texts of each page state (states/page-states.ts, every-page.spec.ts) and of states that last a moment (agreed-texts.spec.ts). */
export const agreedTexts: Record<string, readonly string[]> = {
	home: ["Plus populaire"],
	"search: results": ["Résultats pour « groupe »", "Commander KBIS"],
	"search: loading": ["Recherche en cours..."],
	"search: nothing found": ["Aucune entreprise trouvée pour votre recherche", "Nouvelle recherche"],
	company: [
		...["Entreprise active", "Informations officielles RCS", "Choisissez votre service KBIS", "Recommandé"],
		...[
			"Livraison sous 4 heures ouvrées",
			"Livraison sous 2 heures ouvrées",
			"Livraison sous 3 à 5 jours ouvrés",
			"Continuer vers la commande",
		],
	],
	"company: unknown": ["Entreprise introuvable", "Aucune entreprise trouvée avec le SIREN 900000001"],
	"order: of a company": [
		...["Étape 1 sur 3 • Informations client", "Entreprise active", "Modifier ma sélection", "Recevoir ma facture par email"],
		...["Continuer vers le paiement", "Finaliser votre commande KBIS", "Résumé de commande", "Traitement sécurisé"],
	],
	"order: empty": ["Étape 1 sur 3", "à confirmer", "SIREN, SIRET ou nom d'entreprise"],
	"order: a company chosen": ["Modifier l'entreprise"],
	"order: with errors": [
		...["L'adresse email est requise", "Le prénom est requis", "Le nom est requis", "L'adresse est requise", "La ville est requise"],
		...["Le code postal est requis", "Vous devez sélectionner une entreprise", "Vous devez accepter les conditions générales"],
	],
	"order: with wrong values": [
		"Format d'email invalide",
		"Format de téléphone invalide : dix chiffres, par exemple 06 12 34 56 78",
		"Code postal invalide (5 chiffres)",
	],
	"order: a postal code without a commune": ["Code postal non trouvé"],
	"order: a draft is saved": ["✓ Brouillon enregistré"],
	"order: submitting": ["Traitement en cours..."],
	"order: at a shop with Stripe": ["Paiement Stripe"],
	payment: ["Modifier ma commande", "Finaliser ma commande - 44€"],
	"payment: of a masked company": ["Entreprise"],
	"payment: submitting": ["Redirection en cours..."],
	"payment: the provider fails": ["Erreur lors du traitement du paiement"],
	"payment: the provider gives no URL": ["Aucune URL de paiement reçue"],
	"confirmation: in progress": ["Commande confirmée !", "Reçu", "En traitement", "Prêt", "Livré"],
	"confirmation: done": ["Votre extrait est prêt", "Télécharger le KBIS"],
	"confirmation: without a number": ["ID de session manquant", "Commande introuvable"],
	"confirmation: unknown": ["Commande introuvable", "Impossible de récupérer les détails de votre commande"],
	"confirmation: the order cannot be read": ["Erreur lors du chargement de la commande"],
	"tracking: nothing typed": ["Veuillez remplir tous les champs"],
	"tracking: a wrong address": ["Adresse email invalide"],
	"tracking: not found": ["Commande non trouvée. Vérifiez vos informations."],
	"tracking: unexpected error": ["Erreur lors de la recherche"],
	"tracking: found": ["Terminé"],
	"tracking: pending": ["En attente"],
	"tracking: paid": ["Payé"],
	"tracking: processing": ["En traitement"],
	"tracking: failed": ["Échec"],
	"contact: with errors": ["Le nom est requis", "Écrivez votre message"],
	"unknown URL": ["Cette page n’existe pas", "Oops! Page not found"],
	"unexpected error": ["Une erreur est survenue", "Unexpected Application Error!"],
};

/** Agreed texts that are omitted on purpose, with the rule that says so. */
export const omittedTexts: Record<string, string> = {
	"Conformité RCS": "R8: it suggests an official label",
};
