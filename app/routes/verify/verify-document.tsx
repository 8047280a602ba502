import { data } from "react-router";
import { describeDocument } from "../../customer/tracking/documents/describe-document.server.ts";
import { VerifyPage } from "../../customer/verification/verify-page.tsx";
import { ExtractWatchSection } from "../../orders/watch/extract-watch-section.tsx";
import { shopContext } from "../../shop.ts";
import { privateHeaders } from "../../web/http.ts";
import type { Route } from "./+types/verify-document";

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Vérifier un document" }, { name: "robots", content: "noindex" }];

export async function loader({ params, context }: Route.LoaderArgs) {
	const { db, environment, now } = context.get(shopContext);
	const document = await describeDocument(db, params.document, now());
	if (document === null) throw data("Aucun document ne correspond à cette adresse. Vérifiez qu’elle est complète.", { status: 404 });
	return { shop: environment.shop, document };
}

export default function VerifyRoute({ loaderData }: Route.ComponentProps) {
	const { company, watch } = loaderData.document;
	return (
		<VerifyPage {...loaderData}>{company && watch && <ExtractWatchSection watch={watch} siren={company.siren} whose="cet" />}</VerifyPage>
	);
}
