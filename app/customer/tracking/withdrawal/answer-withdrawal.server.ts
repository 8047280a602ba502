import { data, href, type RouterContextProvider, redirect } from "react-router";
import { findOrderToShow } from "../../../checkout/payment/resume-payment.server.ts";
import { type AccessKey, mayAsk } from "../../../orders/access.ts";
import { listDeclaration } from "../../../orders/customer-requests.store.server.ts";
import { signKey } from "../../../orders/keys.server.ts";
import type { Order } from "../../../orders/order.ts";
import { findOrder } from "../../../orders/orders.store.server.ts";
import { requestStatuses } from "../../../orders/request-statuses.ts";
import type { Visit } from "../../../orders/visit.ts";
import { type Shop, shopContext } from "../../../shop.ts";
import { readLine } from "../../../ui/forms/text.ts";
import { openKey } from "../open-key.server.ts";
import { describeAccessRefusal, refuseAccess } from "../refuse-access.server.ts";
import { searchOrder } from "../search-order.server.ts";
import { checkTrackingForm, trackingSentences } from "../tracking-form.ts";
import { createVisit } from "../visits/visits.server.ts";
import { findLatestDeclaration, mayWithdraw, planWithdrawal, withdraw } from "../withdraw.server.ts";
import {
	allField,
	type ConfirmationStepProps,
	type ReceiptStepProps,
	type ReferenceStepProps,
	type WithdrawalLine,
} from "./withdrawal-page.tsx";
import { neverPaid } from "./withdrawal-refusals.ts";

/** The error for an expired declaration or receipt. */
export const expiredDeclaration = "Cette page a expiré. Indiquez de nouveau votre commande.";

/** The provider does not answer: an order that looks unpaid may be paid. */
const paymentUnknown = "Nous ne pouvons pas vérifier si cette commande est payée. Réessayez dans un instant.";

const nothingChosen = "Choisissez au moins un extrait.";

const toDeclarationUrl = (token: string) => `${href("/retractation")}?declaration=${token}`;

/** « Renoncer au contrat ici » on the page of an order or of a purchase: leads to the declaration, without typing number and address. */
export function openWithdrawal(
	context: Readonly<RouterContextProvider>,
	{ order, access, visit }: { order: Order; access: AccessKey; visit: Visit | null },
) {
	if ((access !== "purchase" && access !== "line") || !mayWithdraw(order, access)) return refuseAccess(access);
	return redirect(toDeclarationUrl(signKey(context.get(shopContext), "withdrawal", order, { access, visit })), 303);
}

type StepProps = ReferenceStepProps | ConfirmationStepProps | ReceiptStepProps;

/** @returns what a signed token leads to; null when the token is expired or invalid. */
export async function findDeclaration(
	shop: Shop,
	token: string,
	shown: Pick<ConfirmationStepProps, "error" | "isAllTicked"> = { isAllTicked: false },
): Promise<StepProps | null> {
	const opened = await openKey(shop, "withdrawal", token);
	return opened.ok ? describeDeclaration(shop, { ...opened, ...shown, token }) : null;
}

/** @returns the receipt of a signed token, or null when the token is expired or invalid. */
export async function findReceipt(shop: Shop, token: string): Promise<ReceiptStepProps | null> {
	const opened = await openKey(shop, "withdrawal-receipt", token);
	return opened.ok ? describeReceipt(shop, opened) : null;
}

async function describeReceipt(shop: Shop, { id, access }: { id: string; access: AccessKey }): Promise<ReceiptStepProps | null> {
	const declared = await listDeclaration(shop.db, id);
	const [first] = declared;
	if (first === undefined) return null;
	const seesMoney = mayAsk(access, "read-money");
	const lines = declared.map(({ order, withdrawal }) => ({
		...describeLine(order),
		outcome: withdrawal.outcome,
		refund: seesMoney ? withdrawal.refund_cents : null,
		reason: withdrawal.reason,
	}));
	const number = await findNumber(shop, first.order, lines.length);
	return {
		step: "receipt",
		number,
		lines,
		paid: first.order.paid_at !== null,
		declaredAt: first.withdrawal.declared_at.toISOString(),
	};
}

/** The number that names what was declared: that of the purchase, of which several lines are declared with its key only. */
async function findNumber(shop: Shop, order: Order, count: number): Promise<string> {
	const first = count > 1 ? await findOrder(shop.db, order.purchase_id) : null;
	return (first ?? order).order_number;
}

const describeLine = ({ purchase_line, order_number, company_name, siren, product_code }: Order) => ({
	line: purchase_line,
	number: order_number,
	companyName: company_name,
	siren,
	service: product_code,
});

interface Declared extends Pick<ConfirmationStepProps, "error" | "isAllTicked"> {
	order: Order;
	access: AccessKey;
	/** The signed token that the confirmation posts. */
	token: string;
}

/** @returns the declaration to be confirmed; the receipt when everything was declared before; why there is no contract. */
async function describeDeclaration(shop: Shop, { order, access, token, error, isAllTicked }: Declared): Promise<StepProps> {
	const planned = await planWithdrawal(shop, order, access);
	if (planned.some(({ outcome }) => outcome === "unpaid")) return { step: "reference", error: neverPaid };
	const isOver = planned.every(({ declared }) => declared !== null);
	const latest = isOver ? findLatestDeclaration(planned.flatMap(({ declared }) => declared ?? [])) : null;
	const receipt = latest === null ? null : await describeReceipt(shop, { id: latest, access });
	if (receipt !== null) return receipt;
	const seesMoney = mayAsk(access, "read-money");
	const lines = planned.map(
		({ order: each, outcome, refund, reason }): WithdrawalLine => ({
			...describeLine(each),
			outcome,
			reason,
			refund: seesMoney ? refund : null,
		}),
	);
	return {
		step: "confirmation",
		declaration: token,
		error,
		lines,
		isAllTicked,
		paid: order.paid_at !== null,
		number: order.order_number,
		name: mayAsk(access, "read-addresses") ? `${order.first_name} ${order.last_name}` : null,
		email: order.customer_email,
		orderedAt: order.created_at.toISOString(),
	};
}

/** Handles the forms of the page: e-mail and number lead to the declaration, « Tout cocher » shows it again, its confirmation leads to the receipt. */
export async function answerWithdrawal(context: Readonly<RouterContextProvider>, form: FormData) {
	const shop = context.get(shopContext);
	const text = (name: string) => readLine(form.get(name)).slice(0, 400);
	const [email, reference, token] = [text("email"), text("orderId"), text("declaration")];
	const refuse = (status: number, error: string) => data<ReferenceStepProps>({ step: "reference", error, email, reference }, { status });

	if (token !== "") {
		if (form.has(allField)) {
			const ticked = await findDeclaration(shop, token, { isAllTicked: true });
			return ticked ? data(ticked) : refuse(400, expiredDeclaration);
		}
		const opened = await openKey(shop, "withdrawal", token);
		if (!opened.ok) return refuse(400, expiredDeclaration);
		const { order, access, visit } = opened;
		const chosen = form.getAll("ligne").map(Number);
		const declared = await withdraw(shop, order.id, access, chosen);
		if (declared.ok) {
			const receipt = signKey(shop, "withdrawal-receipt", { ...order, id: declared.declarationId }, { access, visit });
			return redirect(`${href("/retractation")}?recu=${receipt}`, 303);
		}
		if (declared.code === "never-paid") return refuse(requestStatuses[declared.code], neverPaid);
		if (declared.code === "no-access") return refuse(requestStatuses[declared.code], describeAccessRefusal(access));
		const again =
			declared.code === "nothing-chosen" ? await findDeclaration(shop, token, { error: nothingChosen, isAllTicked: false }) : null;
		return again ? data(again, { status: requestStatuses["nothing-chosen"] }) : refuse(400, expiredDeclaration);
	}
	const error = checkTrackingForm(email, reference);
	if (error) return refuse(400, error);
	const found = await searchOrder(context, email, reference);
	if (!found.ok) return refuse(found.status, found.sentence);
	const { access } = found;
	// a payment whose event has not come yet makes a contract, also of a line
	const refreshed = await findOrderToShow(shop, found.order.id);
	if (refreshed === null) return refuse(404, trackingSentences.notFound); // deleted meanwhile
	const { order, payable } = refreshed;
	if (order.status === "pending" && !payable && !mayWithdraw(order, access)) return refuse(503, paymentUnknown);
	const declaration = signKey(shop, "withdrawal", order, { access, visit: createVisit() });
	const page = await describeDeclaration(shop, { order, access, token: declaration, isAllTicked: false });
	if (page.step === "reference") return refuse(requestStatuses["never-paid"], neverPaid);
	return page.step === "confirmation" && page.lines.length === 0
		? refuse(requestStatuses["no-access"], describeAccessRefusal(access))
		: data(page);
}
