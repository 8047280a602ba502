import { isKeyOf } from "../../../server/types/objects.ts";
import type { OperatorCause } from "./operator-causes.ts";
import type { Refund } from "./refunds.store.server.ts";

/** Why an order is refunded: one list for what the shop, the customer, an operator or the provider began. */
export type Motive = "late" | "cancelled" | "failed" | "wrong" | "withdrawal" | "duplicate" | "other";

const motivesOfReasons: Record<Refund["reason"], Motive> = {
	failed: "failed",
	cancelled: "cancelled",
	late: "late",
	withdrawal: "withdrawal",
	guarantee: "wrong",
	operator: "other",
	surplus: "duplicate",
	dashboard: "other",
};

const motivesOfCauses: Record<OperatorCause, Motive> = {
	"wrong-extract": "wrong",
	"wrong-company": "other",
	late: "late",
	duplicate: "duplicate",
	"not-available": "failed",
	"customer-asked": "other",
	mismatch: "other",
	other: "other",
};

/** The motive of a refund: what an operator chose says more than the reason. A cause that is none of operatorCauses does not count. */
export const getMotive = ({ reason, cause }: Pick<Refund, "reason" | "cause">): Motive =>
	cause !== null && isKeyOf(motivesOfCauses, cause) ? motivesOfCauses[cause] : motivesOfReasons[reason];
