import type { Trx } from "../../server/database.ts";
import type { Runtime } from "../../server/runtime.ts";
import { deleteDocuments, listDocuments } from "../documents/documents.store.server.ts";
import { forgetFile } from "../documents/forget-file.server.ts";
import type { DocumentStorage } from "../documents/storage.ts";
import { deleteInvoices } from "../invoices/invoices.store.server.ts";
import { forgetPosting, takeOffDesk } from "../issuing/issuing.store.server.ts";
import { deleteMails, forgetMails } from "../mail/mails.store.server.ts";
import { forgetExtractLocked } from "../orders/forget-extract.server.ts";
import { lockOrder } from "../orders/orders.store.server.ts";
import { deletePayments, listPaymentsOfOrder } from "../orders/refunds.store.server.ts";
import { deleteRequests, forgetRequestWords } from "../orders/requests.store.server.ts";
import { deleteOrder, forgetCustomer, isUnfinished } from "../orders/retention.store.server.ts";
import { deleteSessions, listSessions } from "../payment/payment.store.server.ts";
import { forgetSandboxCustomer } from "../payment/sandbox.store.server.ts";

type Deps = Pick<Runtime, "db" | "now"> & { storage: DocumentStorage };

/**
 * Takes a person out of an order that is over: one that nobody ever paid goes with all that hangs on it; of one that was paid,
 * company, amounts and invoices stay, as the accounts need them for ten years. An unfinished order stays as it is.
 * @throws when the storage fails: nothing is changed then.
 */
export async function eraseOrder(deps: Deps, orderId: string): Promise<"erased" | "deleted" | "unfinished" | "nothing-to-do"> {
	return deps.db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		if (order === null || order.erased_at !== null) return "nothing-to-do";
		const payable = (await listSessions(trx, orderId)).some(({ status }) => status === "open");
		// the rule; the lists of the purge left out what was unfinished then
		if (payable || (await isUnfinished(trx, orderId))) return "unfinished";
		await forgetSandboxCustomer(trx, orderId);
		if ((await listPaymentsOfOrder(trx, orderId)).length === 0) {
			await deleteAll(deps, trx, orderId);
			return "deleted";
		}
		await forgetExtractLocked(deps, trx, orderId);
		await deleteSessions(trx, orderId);
		await forgetMails(trx, orderId);
		await forgetRequestWords(trx, orderId);
		await forgetPosting(trx, orderId);
		await forgetCustomer(trx, orderId, deps.now());
		return "erased";
	});
}

/** Deletes what is left of an erased order, its invoices and their files: nothing of it has to be kept any more. */
export async function deleteErasedOrder(deps: Deps, orderId: string): Promise<boolean> {
	return deps.db.transaction().execute(async (trx) => {
		if (!(await lockOrder(trx, orderId))?.erased_at) return false; // the rule; listOrdersToDelete chooses by it
		await deleteAll(deps, trx, orderId);
		return true;
	});
}

async function deleteAll({ storage, now }: Deps, trx: Trx, orderId: string): Promise<void> {
	for (const document of await listDocuments(trx, orderId)) await forgetFile(storage, trx, document, now());
	await deleteMails(trx, orderId);
	await deleteInvoices(trx, orderId);
	await deleteDocuments(trx, orderId);
	await deletePayments(trx, orderId);
	await deleteSessions(trx, orderId);
	await deleteRequests(trx, orderId);
	await takeOffDesk(trx, orderId);
	await deleteOrder(trx, orderId);
}
