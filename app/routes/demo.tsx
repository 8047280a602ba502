import { join } from "node:path";
import { data, href, redirect } from "react-router";
import type { Client } from "../../server/client.ts";
import { formatInstant } from "../catalogue/instants.ts";
import { signInDemoOperator } from "../desk/operators/demo-operator.server.ts";
import { servesByHand, setServesByHand } from "../fulfilment/issuers/demo-issuer.server.ts";
import { readDemoMails } from "../mail/read-demo-mails.server.ts";
import { testCards } from "../payments/sandbox/sandbox-payment.server.ts";
import { clientContext, type Shop, shopContext } from "../shop.ts";
import { DemoPage } from "../web/demo/demo-page.tsx";
import { privateHeaders, readForm } from "../web/http.ts";
import type { Route } from "./+types/demo";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Essayer la boutique" }, { name: "robots", content: "noindex" }];

const maxMails = 30;
const loopback = /^(127\.\d+\.\d+\.\d+|localhost|::1)$/;

/** E-mails contain personal data, so only local requests without a proxy may read them. */
export async function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const { environment, db } = shop;
	if (environment.production) throw data(null, { status: 404 });
	const isLocal = isLocalDemo(shop, context.get(clientContext), request);
	const mayRead = isLocal && !environment.smtpUrl;
	const mails = mayRead ? await readDemoMails(join(environment.dataDir, "mails"), maxMails) : null;
	return {
		desk: isLocal ? { byHand: environment.issuer === "manual" ? null : await servesByHand(db) } : null,
		cards: testCards.map(({ number, label }) => ({ number, label })),
		mails: mails?.map((mail) => ({ ...mail, sentAt: formatInstant(mail.sentAt) })) ?? null,
	};
}

/** The demo's buttons: open the desk, serve by hand. For local requests only, like the e-mails. */
export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const client = context.get(clientContext);
	if (!isLocalDemo(shop, client, request)) throw data(null, { status: 404 });
	const form = await readForm(request);
	if (form.get("do") === "open-desk") {
		const cookies = await signInDemoOperator(shop, { headers: request.headers, client: client.key });
		return redirect(href("/bureau/commandes"), { headers: cookies.map((cookie) => ["set-cookie", cookie]) });
	}
	await setServesByHand(shop.db, form.get("by-hand") === "on");
	return redirect(href("/test"));
}

/** Whether the shop is a demo that only this machine reaches. */
const isLocalDemo = ({ environment }: Shop, { isLocal }: Client, { headers }: Request) =>
	!environment.production && isLocal && loopback.test(environment.host) && loopback.test(readHostName(headers.get("host") ?? ""));

/** The name of a Host header without its port. A foreign name that points to this machine is another site (DNS rebinding). */
const readHostName = (host: string) =>
	host
		.replace(/:\d+$/, "")
		.replace(/^\[(.*)\]$/, "$1")
		.toLowerCase();

export default function DemoRoute({ loaderData }: Route.ComponentProps) {
	return <DemoPage {...loaderData} />;
}
