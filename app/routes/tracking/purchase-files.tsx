import { createContext, data, redirect } from "react-router";
import { toWebStream } from "../../../server/web-stream.ts";
import { recipientFilesDays } from "../../catalogue/link-lifetimes.ts";
import { formatPeriod } from "../../catalogue/retention.ts";
import { DocumentRefusalPage, documentRefusals } from "../../customer/tracking/documents/document-refusal-page.tsx";
import { openPurchaseFiles, type PurchaseFilesRefusal } from "../../customer/tracking/purchase/open-purchase-files.server.ts";
import { zipPurchase } from "../../customer/tracking/purchase/zip-purchase.server.ts";
import { formatAttachmentHeader } from "../../orders/documents/file-name.ts";
import { shopContext } from "../../shop.ts";
import { privateHeaders, setRetryAfter } from "../../web/http.ts";
import type { Route } from "./+types/purchase-files";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Vos documents" }, { name: "robots", content: "noindex" }];

/** The refusal of a link: set by the middleware, read by the loader. */
const refusalContext = createContext<PurchaseFilesRefusal>();

/** Sends the documents of a purchase as one archive. Its size is unknown before all files are read. */
export const middleware: Route.MiddlewareFunction[] = [
	async ({ request, params, context }, next) => {
		const shop = context.get(shopContext);
		const opened = await openPurchaseFiles(shop, params.token);
		if (!opened.ok) {
			context.set(refusalContext, opened);
			return next();
		}
		if ("documentPath" in opened) return redirect(opened.documentPath, { headers: privateHeaders });
		const body = request.method === "HEAD" ? null : toWebStream(zipPurchase(shop, opened.files));
		return new Response(body, {
			headers: {
				...privateHeaders,
				"content-type": "application/zip",
				"content-disposition": formatAttachmentHeader(opened.fileName),
				"content-security-policy": "default-src 'none'; sandbox",
				"cross-origin-resource-policy": "same-origin",
			},
		});
	},
];

const otherRefusals = {
	"recipient-expired": {
		status: 410,
		title: "Ce lien a expiré",
		sentence: `Il était valable ${formatPeriod({ days: recipientFilesDays })}. Demandez les fichiers à la personne qui vous les a envoyés.`,
	},
	none: {
		status: 404,
		title: "Aucun document n’est prêt",
		sentence: "La page de suivi de votre commande montre où en est chaque extrait.",
	},
	limited: {
		status: 429,
		title: "Trop de téléchargements",
		sentence: "Les documents de cette commande ont été téléchargés trop souvent. Réessayez dans une heure.",
	},
	// a dispute is between the customer and us
	"recipient-frozen": {
		status: 403,
		title: "Ces documents ne peuvent pas être ouverts",
		sentence: "Adressez-vous à la personne qui vous les a fait envoyer.",
	},
} as const;

/** Runs only when the link is refused. */
export function loader({ context }: Route.LoaderArgs) {
	const refused = context.get(refusalContext);
	const refusal = { ...documentRefusals, ...otherRefusals }[refused.code];
	setRetryAfter(context, { ...refusal, ...refused });
	const { title, sentence, status } = refusal;
	return data({ title, sentence, hasOrder: !refused.code.startsWith("recipient-") }, { status });
}

export default function PurchaseFilesRoute({ loaderData }: Route.ComponentProps) {
	return <DocumentRefusalPage {...loaderData} />;
}
