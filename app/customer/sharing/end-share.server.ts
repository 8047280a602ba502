import type { Context } from "../../../server/runtime.ts";
import { isUuid } from "../../../server/uuid.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import type { Order } from "../../orders/order.ts";
import { revokeShare } from "./shares.store.server.ts";

/** Takes back a link of an order for its customer. @returns false without access; a link of another order stays. */
export async function endShare({ db, now }: Context, { id: orderId }: Order, access: AccessKey, id: string): Promise<boolean> {
	if (!mayAsk(access, "share")) return false;
	if (isUuid(id)) await revokeShare(db, { id, orderId, now: now() });
	return true;
}
