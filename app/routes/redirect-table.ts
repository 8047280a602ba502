/** Addresses that were printed somewhere once → where their page is now (docs/rules.md, R53). */
export const redirects: Readonly<Record<string, string>> = {
	"/old-commande": "/commande",
	"/rgpd": "/politique-rgpd",
	"/privacy": "/politique-confidentialite",
	"/terms": "/cgv",
	"/nous-contacter": "/contact",
};
