import { data } from "react-router";
import { readAddress, readPerson } from "../../../desk/privacy/describe-person.server.ts";
import { readDeskForm } from "../../../desk/shell/read-desk-form.server.ts";
import { deskHeaders, getActor, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/privacy-export";

/** All data of a person as a file (GDPR, articles 15 and 20). Who took it is in the trail. */
export async function action({ request, context }: Route.ActionArgs) {
	requireOperator(context, "privacy");
	const email = readAddress((await readDeskForm(request)).get("email"));
	if (email === null) throw data("Cette adresse e-mail n’est pas valable.", { status: 400 });
	const person = await readPerson(context.get(shopContext), getActor(context), email, "export-person");
	return new Response(`${JSON.stringify(person, null, "\t")}\n`, {
		headers: {
			...deskHeaders,
			"content-type": "application/json; charset=utf-8",
			"content-disposition": 'attachment; filename="donnees.json"',
		},
	});
}

export function loader() {
	throw data(null, { status: 404 });
}
