import { data } from "react-router";
import { findOrderOfPage } from "../../../desk/order/find-order.server.ts";
import { deskHeaders, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { formatAttachmentHeader } from "../../../documents/file-name.ts";
import { makeSpecimenToDrop } from "../../../fulfilment/issuers/specimen-issuer.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/specimen";

/** In the demo alone: a specimen to drop on an order, in the place of the registry's extract. */
export async function loader({ context, params }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	const shop = context.get(shopContext);
	if (shop.environment.production) throw data(null, { status: 404 });
	const order = await findOrderOfPage(shop, params.number);
	const request = { orderId: order.id, siren: order.siren, companyName: order.company_name };
	const pdf = await makeSpecimenToDrop(request, shop.now());
	return new Response(new Uint8Array(pdf), {
		headers: {
			...deskHeaders,
			"content-type": "application/pdf",
			"content-disposition": formatAttachmentHeader(`Specimen_${order.order_number}.pdf`),
			"content-security-policy": "default-src 'none'; sandbox",
		},
	});
}
