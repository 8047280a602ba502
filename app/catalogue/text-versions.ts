/** The version of a text to which people consent: its ISO date, stored with each consent, and the hash of the text. */
interface TextVersion {
	date: string;
	sha256: string;
}

/**
 * A changed text needs a new date and hash; until then, app/content/text-versions.test.ts fails and prints the hash.
 * The hash covers the text of the demo, with prices and periods; it ignores spaces.
 */
export const textVersions = {
	/** texts/cgv.md, and the two boxes of the order form (docs/rules.md, R9). Stored with each order. */
	terms: { date: "2026-11-22", sha256: "55a08e6e993db361e0c76ebfacd284879cf28acc4745d696dacc6595ed88b5a9" },
	/** texts/lettre-information.md, and the order form's box. Stored with each subscription to the newsletter. */
	newsletter: { date: "2026-11-21", sha256: "d8dc597eedf29a5dc478fbcf90dbb37ae5572de2f59a369c3d80e38dbe92ccac" },
	/** texts/abonnement.md. Stored with each e-mail address on the waiting list. */
	subscription: { date: "2026-11-21", sha256: "2368c2cf4e17c1aedcba288fd4e923b1a66c6872f8f55f876fa999ae5d1cc44a" },
} as const satisfies Record<string, TextVersion>;
