import { createInvoicesFile } from "../../customer/space/invoices-file.server.ts";
import { requireCustomer } from "../../customer/space/space-access.server.ts";
import { formatAttachmentHeader } from "../../orders/documents/file-name.ts";
import { shopContext } from "../../shop.ts";
import { privateHeaders } from "../../web/http.ts";
import type { Route } from "./+types/invoices-file";

/** A file of a year's invoices, as a download. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
	const { mailbox } = await requireCustomer(context, request);
	const file = await createInvoicesFile(context.get(shopContext), mailbox, params.file);
	if (!file.ok) throw new Response(null, { status: file.code === "unknown" ? 404 : 503, headers: privateHeaders });
	return new Response(file.bytes, {
		headers: {
			...privateHeaders,
			"content-type": file.contentType,
			"content-disposition": formatAttachmentHeader(params.file),
		},
	});
}
