/** The version of a text to which people consent: its ISO date, stored with each consent, and the hash of the text. */
interface TextVersion {
	date: string;
	sha256: string;
}

/** By itself: the order form loads it, and no other hash. */
const termsHash = "2f4ea632e11487007bdc1e2502b9bb4aa4a2d4d89a7e7a50cd3aadadcac66b12";

/**
 * A changed text needs a new date and hash; until then, app/content/text-versions.test.ts fails and prints the hash.
 * The hash covers the text of the demo, with prices and periods; it ignores spaces.
 */
export const textVersions = {
	/** texts/cgv.md, and the two boxes of the order form (docs/rules.md, R9). Stored with each order. */
	terms: { date: "2026-12-01", sha256: termsHash },
	/** texts/lettre-information.md, and the order form's box. Stored with each subscription to the newsletter. */
	newsletter: { date: "2026-11-30", sha256: "b6b0ec27da365d7a6d664568068d05b4cde61a8558ca2358365549503d846e55" },
	/** texts/abonnement.md. Stored with each e-mail address on the waiting list. */
	subscription: { date: "2026-11-23", sha256: "da7c53ae1669c4df699d1cd0fbab04c3770d0a1c9e7ca70871ace2362004af15" },
	/** texts/alertes.md. Stored with each alert of a company. */
	companyAlerts: { date: "2026-11-26", sha256: "dfae07542bbffc1e03e7f66e986f6fc029ba7f8b2a86429613a1da2aab33acd9" },
} as const satisfies Record<string, TextVersion>;

/** The value of the box that accepts the terms. It names the text that its page shows, so that a page opened before a new text accepts none. */
export const termsTick = termsHash.slice(0, 12);
