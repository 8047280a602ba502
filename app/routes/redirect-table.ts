/** Addresses that were printed somewhere once → where their page is now (decision B6 of the specification). */
export const movedPages: Readonly<Record<string, string>> = {
	"/old-commande": "/commande",
	"/rgpd": "/politique-rgpd",
	"/privacy": "/politique-confidentialite",
	"/terms": "/cgv",
	"/nous-contacter": "/contact",
};
