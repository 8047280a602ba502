import { sendMonthFile } from "../../desk/accounts/send-month-file.server.ts";
import { getActor, requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/accounts-file";

/** A file of a month, as a download. */
export function loader({ params, context }: Route.LoaderArgs) {
	requireOperator(context, "accounts");
	return sendMonthFile(context.get(shopContext), getActor(context), params);
}
