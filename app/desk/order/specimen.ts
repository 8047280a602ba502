import { data } from "react-router";
import { findCompany } from "../../companies/find-company.server.ts";
import { makeSpecimenToDrop } from "../../fulfilment/issuers/specimen-issuer.server.ts";
import { shopContext } from "../../shop.ts";
import { sendDownload } from "../shell/send-download.server.ts";
import type { Route } from "./+types/specimen";
import { findOrderOfPage } from "./find-order.server.ts";

/** In the demo alone: a specimen to drop on an order, in the place of the registry's extract. */
export async function loader({ context, params }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	if (shop.environment.production) throw data(null, { status: 404 });
	const order = await findOrderOfPage(shop, params.number);
	const request = { orderId: order.id, siren: order.siren, companyName: order.company_name };
	const pdf = await makeSpecimenToDrop(request, shop.now(), await findCompany(shop.db, order.siren));
	return sendDownload(new Uint8Array(pdf), { name: `Specimen_${order.order_number}.pdf`, type: "application/pdf" });
}
