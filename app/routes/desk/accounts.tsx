import type { ShouldRevalidateFunctionArgs } from "react-router";
import { AccountsPage } from "../../desk/accounts/accounts-page.tsx";
import { readAccounts } from "../../desk/accounts/read-accounts.server.ts";
import { keepUnsentAct } from "../../desk/acts/act-form.tsx";
import { answerActForm } from "../../desk/acts/answer-act-form.server.ts";
import { keepPage } from "../../desk/shell/keep-page.ts";
import { requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/accounts";

export const meta: Route.MetaFunction = () => [{ title: "Comptes – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	requireOperator(context, "accounts");
	return readAccounts(context.get(shopContext));
}

/** Not at every change of the desk: to read the books takes longer than they change. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) =>
	(args.formMethod !== undefined || args.currentUrl.href !== args.nextUrl.href) && keepPage(args);

export const action = (args: Route.ActionArgs) => answerActForm(args);

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) => keepUnsentAct(request, () => serverAction());

export default function AccountsRoute({ loaderData }: Route.ComponentProps) {
	return <AccountsPage {...loaderData} />;
}
