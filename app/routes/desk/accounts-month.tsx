import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import { parseMonth } from "../../accounts/month.ts";
import { MonthPage } from "../../desk/accounts/month-page.tsx";
import { readAccountsMonth } from "../../desk/accounts/read-accounts.server.ts";
import { keepUnsentAct } from "../../desk/acts/act-form.tsx";
import { answerActForm } from "../../desk/acts/answer-act-form.server.ts";
import { keepPage } from "../../desk/shell/keep-page.ts";
import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/accounts-month";

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: `${loaderData?.view.name ?? "Comptes"} – bureau` }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
	requireOperator(context, "accounts");
	const month = parseMonth(params.month);
	const view = month && (await readAccountsMonth(context.get(shopContext), month));
	if (view === null) throw data(null, { status: 404 });
	return { view, closing: new URL(request.url).searchParams.get("cloture") === "oui" };
}

/** Not at every change of the desk: to read the books takes longer than they change. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) =>
	(args.formMethod !== undefined || args.currentUrl.href !== args.nextUrl.href) && keepPage(args);

export const action = (args: Route.ActionArgs) => answerActForm(args);

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) => keepUnsentAct(request, () => serverAction());

export default function AccountsMonthRoute({ loaderData }: Route.ComponentProps) {
	return <MonthPage {...loaderData} />;
}
