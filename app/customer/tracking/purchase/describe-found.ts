/** « 2 extraits correspondent à votre recherche, sur 200 : » */
export const describeFound = (found: number, all: number): string =>
	`${found} ${found === 1 ? "extrait correspond" : "extraits correspondent"} à votre recherche, sur ${all}\u00a0:`;
