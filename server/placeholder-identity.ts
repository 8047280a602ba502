/** The fictitious shop that the demo is, by variable: production refuses each of these. */
export const placeholderIdentity = {
	SHOP_NAME: "ExtraitPro",
	SHOP_LEGAL_ENTITY: "ExtraitPro, société de démonstration (fictive)",
	SHOP_ADDRESS: "1 rue de l’Exemple, 00000 Démoville",
	SHOP_SIREN: "000 000 000",
	SHOP_RCS: "RCS Démoville",
	SHOP_VAT: "FR00 000000000",
	SHOP_PHONE: "01 99 00 00 00",
	SHOP_EMAIL: "contact@extraitpro.example",
	SHOP_SUPPORT_HOURS: "7j/7, 8h-20h",
	SHOP_MEDIATOR: "Médiateur de démonstration (fictif), mediateur.example",
	SHOP_HOST: "Hébergeur de démonstration (fictif), 2 rue de l’Exemple, 00000 Démoville, 01 99 00 00 01",
	SHOP_PUBLISHER: "Camille Exemple (personne fictive)",
} as const;
