import { describeInvoices } from "../../customer/space/describe-invoices.server.ts";
import { InvoicesPage } from "../../customer/space/invoices-page.tsx";
import { readPage, readYear } from "../../customer/space/read-query.ts";
import { requireCustomer } from "../../customer/space/space-access.server.ts";
import { shopContext } from "../../shop.ts";
import { pageMeta } from "../../ui/site.ts";
import { privateHeaders } from "../../web/http.ts";
import type { Route } from "./+types/invoices";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = (page) => pageMeta(page, { title: "Mes factures", index: false });

export async function loader({ request, context }: Route.LoaderArgs) {
	const { mailbox } = await requireCustomer(context, request);
	const query = new URL(request.url).searchParams;
	const invoices = await describeInvoices(context.get(shopContext), mailbox, { year: readYear(query), page: readPage(query) });
	return { mailbox, ...invoices };
}

export default function Invoices({ loaderData }: Route.ComponentProps) {
	return <InvoicesPage {...loaderData} />;
}
