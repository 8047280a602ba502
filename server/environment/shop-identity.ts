/** The seller, as shown in the header, the footer, the legal pages and the e-mails. */
export interface ShopIdentity {
	name: string;
	legalEntity: string;
	address: string;
	siren: string;
	/** « RCS Nantes »: required beside the SIREN (C. com. art. R123-237). */
	rcs: string;
	vat: string;
	phone: string;
	email: string;
	supportHours: string;
	mediator: string;
	/** Name, address and phone (LCEN art. 1-1). */
	host: string;
	/** The person legally responsible for the site's content (LCEN art. 1-1). */
	publisher: string;
	/** How the owner stores and deletes backups, after « Nos sauvegardes sont »; undefined in the demo, which has none. */
	backups: string | undefined;
}

/** The demo's fictitious shop, by variable. Production refuses these values. */
export const placeholderIdentity = {
	SHOP_NAME: "ExtraitPro",
	SHOP_LEGAL_ENTITY: "ExtraitPro, société de démonstration (fictive)",
	SHOP_ADDRESS: "1 rue de l’Exemple, 00000 Démoville",
	SHOP_SIREN: "000 000 000",
	SHOP_RCS: "RCS Démoville",
	SHOP_VAT: "FR12 000000000",
	SHOP_PHONE: "01 99 00 00 00",
	SHOP_EMAIL: "contact@extraitpro.example",
	SHOP_SUPPORT_HOURS: "7j/7, 8h-20h",
	SHOP_MEDIATOR: "Médiateur de démonstration (fictif), mediateur.example",
	SHOP_HOST: "Hébergeur de démonstration (fictif), 2 rue de l’Exemple, 00000 Démoville, 01 99 00 00 01",
	SHOP_PUBLISHER: "Camille Exemple (personne fictive)",
} as const;
