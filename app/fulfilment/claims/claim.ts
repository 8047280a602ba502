/** How long an order stays with the operator who works on it (docs/rules.md, R75). */
export const claimMinutes = 20;

/** An operator at the desk, as claims know them. */
export interface Claimant {
	id: string;
	name: string;
}

/** Who works on an order, and until when. */
export interface Claim {
	orderId: string;
	operatorId: string;
	operatorName: string;
	claimedAt: Date;
	expiresAt: Date;
}

/** Another operator works on the order. */
export interface HeldByOther {
	ok: false;
	code: "held-by-other";
	holder: string;
	until: Date;
}
