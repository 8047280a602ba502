import { data } from "react-router";
import { findFileOrigin } from "../../customer/tracking/documents/find-document-origin.server.ts";
import { readFingerprint } from "../../customer/verification/file-origin.ts";
import { VerifyFilePage } from "../../customer/verification/verify-file-page.tsx";
import { shopContext } from "../../shop.ts";
import { pageMeta } from "../../ui/site.ts";
import type { Route } from "./+types/verify-file";

/** The page is the same for all users; a pasted fingerprint is in its URL. */
export const handle = { public: true };

export async function loader({ request, context }: Route.LoaderArgs) {
	const { db, environment } = context.get(shopContext);
	const typed = new URL(request.url).searchParams.get("empreinte");
	const sha256 = readFingerprint(typed ?? "");
	const origin = sha256 === null ? null : await findFileOrigin(db, sha256);
	return data(
		{ shopName: environment.shop.name, demo: !environment.production, typed: typed?.slice(0, 200) ?? null, origin },
		{ status: typed !== null && origin === null ? 400 : 200 },
	);
}

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: "Vérifier un extrait Kbis",
		description: `Vérifiez qu’un extrait Kbis en PDF a été livré par ${page.loaderData.shopName} et qu’il n’a pas été modifié. Gratuit, sans compte\u00a0: le fichier reste sur votre appareil.`,
		picture: true,
		index: page.loaderData.typed === null,
	});

export default function VerifyFile({ loaderData }: Route.ComponentProps) {
	return <VerifyFilePage {...loaderData} />;
}
