/** The HTTP status of a customer's request about an order, by the code with which its use case refused it. */
export const requestStatuses = {
	// what was typed
	invalid: 400,
	"invalid-email": 400,
	"invalid-message": 400,
	"invalid-recipient": 400,
	"nothing-chosen": 400,
	// the key (access.ts)
	"no-access": 403,
	// the state of the order
	"corrected-meanwhile": 409,
	disputed: 409,
	full: 409,
	missing: 409,
	"never-paid": 409,
	"no-invoice": 409,
	"not-ready": 409,
	printed: 409,
	refunded: 409,
	"too-late": 409,
	"too-many": 409,
	unchanged: 409,
	busy: 429,
	limited: 429,
	unavailable: 503,
} as const;
