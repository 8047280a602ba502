/** Old URL → current URL of its page (docs/rules.md, R53). */
export const redirects: Readonly<Record<string, string>> = {
	"/old-commande": "/commande",
	"/rgpd": "/politique-rgpd",
	"/privacy": "/politique-confidentialite",
	"/terms": "/cgv",
	"/nous-contacter": "/contact",
};
