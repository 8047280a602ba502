import { data, href, type RouterContextProvider, redirect } from "react-router";
import { readLine } from "../../forms/text.ts";
import { findWithdrawal } from "../../orders/customer-requests.server.ts";
import { findOrder } from "../../orders/orders.server.ts";
import { type Shop, shopContext } from "../../shop.ts";
import { declarationToken } from "../declaration-token.server.ts";
import { searchOrder } from "../search-order.server.ts";
import { checkTrackingForm } from "../tracking-form.ts";
import { withdraw } from "../withdraw.server.ts";
import type { ConfirmationStepProps, ReceiptStepProps, ReferenceStepProps } from "./withdrawal-page.tsx";

/** The error for an expired declaration or receipt. */
export const expiredDeclaration = "Cette page a expiré. Indiquez de nouveau votre commande.";

/** @returns the receipt of a signed token, or null when the token is expired or invalid. */
export async function findReceipt(shop: Shop, token: string): Promise<ReceiptStepProps | null> {
	const read = declarationToken.read(shop.signer, token, shop.now());
	if (!read.ok) return null;
	const [order, withdrawal] = await Promise.all([findOrder(shop.db, read.id), findWithdrawal(shop.db, read.id)]);
	if (order === null || withdrawal === null) return null;
	const { declared_at, outcome, reason } = withdrawal;
	return { step: "receipt", number: order.order_number, declaredAt: declared_at.toISOString(), outcome, reason };
}

/** Handles both forms of the page: e-mail and number lead to the declaration, its confirmation to the receipt. */
export async function answerWithdrawal(context: Readonly<RouterContextProvider>, form: FormData) {
	const shop = context.get(shopContext);
	const text = (name: string) => readLine(form.get(name)).slice(0, 400);
	const [email, reference, token] = [text("email"), text("orderId"), text("declaration")];
	const refuse = (status: number, error: string) => data<ReferenceStepProps>({ step: "reference", error, email, reference }, { status });

	if (token !== "") {
		const read = declarationToken.read(shop.signer, token, shop.now());
		if (!read.ok || (await withdraw(shop, read.id)) === null) return refuse(400, expiredDeclaration);
		return redirect(`${href("/retractation")}?recu=${declarationToken.sign(shop.signer, read.id, shop.now())}`, 303);
	}
	const error = checkTrackingForm(email, reference);
	if (error) return refuse(400, error);
	const found = await searchOrder(context, email, reference);
	if (!found.ok) return refuse(found.status, found.sentence);
	const { order } = found;
	return data<ConfirmationStepProps>({
		step: "confirmation",
		declaration: declarationToken.sign(shop.signer, order.id, shop.now()),
		number: order.order_number,
		name: `${order.first_name} ${order.last_name}`,
		email: order.customer_email,
		companyName: order.company_name,
		siren: order.siren,
		service: order.product_code,
		orderedAt: order.created_at.toISOString(),
	});
}
