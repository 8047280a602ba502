import { data } from "react-router";
import {
	answerWithdrawal,
	expiredDeclaration,
	findDeclaration,
	findReceipt,
} from "../customer/tracking/withdrawal/answer-withdrawal.server.ts";
import { WithdrawalPage } from "../customer/tracking/withdrawal/withdrawal-page.tsx";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import { privateHeaders, readForm } from "../web/http.ts";
import type { Route } from "./+types/withdrawal";

export const handle = { scripts: false };

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders;

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Renoncer au contrat ici",
		picture: true,
		description: "Se rétracter d’une commande en ligne, sans compte\u00a0: déclaration, confirmation, et accusé de réception daté.",
	});

/** The online withdrawal function (C. conso. art. L221-21): declaration, confirmation, receipt. No account. */
export async function loader({ request, context }: Route.LoaderArgs) {
	const query = new URL(request.url).searchParams;
	const [receipt, declaration] = [query.get("recu"), query.get("declaration")];
	if (!receipt && !declaration) return data<Parameters<typeof WithdrawalPage>[0]>({ step: "reference" });
	const shop = context.get(shopContext);
	const page = receipt ? await findReceipt(shop, receipt) : await findDeclaration(shop, declaration ?? "");
	return data(page ?? { step: "reference" as const, error: expiredDeclaration }, { headers: privateHeaders });
}

export async function action({ request, context }: Route.ActionArgs) {
	return answerWithdrawal(context, await readForm(request));
}

export default function WithdrawalRoute({ loaderData, actionData }: Route.ComponentProps) {
	return <WithdrawalPage {...(actionData ?? loaderData)} />;
}
