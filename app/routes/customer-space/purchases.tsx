import { href, redirect } from "react-router";
import { endFormCookies } from "../../checkout/form/form-browser.server.ts";
import { EmailPage } from "../../content/email-links/email-page.tsx";
import { fillIn } from "../../content/fill-in.ts";
import { getText } from "../../content/texts.ts";
import { askForCustomerLink } from "../../customer/sign-in/send-link.server.ts";
import { findSignedInCustomer, signOutCustomer } from "../../customer/sign-in/sessions.server.ts";
import { listOlderInvoiceYears } from "../../customer/space/describe-invoices.server.ts";
import { describePurchases } from "../../customer/space/describe-purchases.server.ts";
import { PurchasesPage } from "../../customer/space/purchases-page.tsx";
import { readPage, readSearch, readYear } from "../../customer/space/read-query.ts";
import { shopContext } from "../../shop.ts";
import { pageMeta } from "../../ui/site.ts";
import { answerEmailForm } from "../../web/answer-email-form.ts";
import { privateHeaders, readForm, withPrivateHeaders } from "../../web/http.ts";
import type { Route } from "./+types/purchases";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Mes commandes",
		description: page.loaderData?.kind === "form" ? page.loaderData.text.description : undefined,
		index: false,
	});

/** The purchases of the mailbox that is signed in; for any other browser, the form that asks for the link. */
export async function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const query = new URL(request.url).searchParams;
	const customer = await findSignedInCustomer(shop, request.headers);
	if (customer === null) {
		const text = fillIn(getText(href("/mes-commandes")), shop.textVariables);
		return { kind: "form" as const, text, requested: query.get("demande") === "1" };
	}
	const filter = { search: readSearch(query.get("q")), year: readYear(query) };
	const purchases = await describePurchases(shop, customer.mailbox, filter, readPage(query));
	const olderInvoiceYears = await listOlderInvoiceYears(shop, customer.mailbox);
	return { kind: "purchases" as const, mailbox: customer.mailbox, filter, olderInvoiceYears, ...purchases };
}

/** Asks for the link, with the same answer whether the address has orders or not (docs/rules.md, R170); or leaves the space. */
export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const form = await readForm(request);
	if (form.get("do") === "quit") {
		const cookies = await signOutCustomer(shop, request.headers);
		return redirect(href("/mes-commandes"), { status: 303, headers: withPrivateHeaders([...cookies, ...endFormCookies(shop)]) });
	}
	return answerEmailForm(context, form, {
		receive: (submission) => askForCustomerLink(shop, submission),
		thanks: `${href("/mes-commandes")}?demande=1`,
		headers: privateHeaders,
	});
}

export default function Purchases({ loaderData, actionData }: Route.ComponentProps) {
	if (loaderData.kind === "purchases") return <PurchasesPage {...loaderData} />;
	return (
		<EmailPage
			{...loaderData}
			anchors={{ content: ["contenu"], form: "demander", thanks: "lien-demande" }}
			submit="Recevoir le lien"
			action={href("/mes-commandes")}
			startsWithForm
			refused={actionData}
		/>
	);
}
