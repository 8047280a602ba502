import { data } from "react-router";
import { shopContext } from "../../shop.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { sendDownload } from "../shell/send-download.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/person-export";
import { readAddress, readPerson } from "./describe-person.server.ts";

/** All data of a person as a file (GDPR, articles 15 and 20). Who took it is in the trail. */
export async function action({ request, context }: Route.ActionArgs) {
	const email = readAddress((await readDeskForm(request)).get("email"));
	if (email === null) throw data("Cette adresse e-mail n’est pas valable.", { status: 400 });
	const person = await readPerson(context.get(shopContext), getActor(context), email, "export-person");
	return sendDownload(`${JSON.stringify(person, null, "\t")}\n`, { name: "donnees.json", type: "application/json; charset=utf-8" });
}

export function loader() {
	throw data(null, { status: 404 });
}
