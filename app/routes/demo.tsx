import { join } from "node:path";
import { data } from "react-router";
import { formatInstant } from "../catalogue/instants.ts";
import { DemoPage } from "../demo/demo-page.tsx";
import { readDemoMails } from "../mail/read-demo-mails.server.ts";
import { testCards } from "../payments/sandbox/sandbox-payment.server.ts";
import { clientContext, shopContext } from "../shop.ts";
import { privateHeaders } from "../web/http.ts";
import type { Route } from "./+types/demo";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Essayer la boutique" }, { name: "robots", content: "noindex" }];

const maxMails = 30;
const loopback = /^(127\.\d+\.\d+\.\d+|localhost|::1)$/;

/** E-mails contain personal data, so only local requests without a proxy may read them. */
export async function loader({ context }: Route.LoaderArgs) {
	const { environment } = context.get(shopContext);
	if (environment.production) throw data(null, { status: 404 });
	const mayRead = context.get(clientContext).isLocal && loopback.test(environment.host) && !environment.smtpUrl;
	const mails = mayRead ? await readDemoMails(join(environment.dataDir, "mails"), maxMails) : null;
	return {
		cards: testCards.map(({ number, label }) => ({ number, label })),
		mails: mails?.map((mail) => ({ ...mail, sentAt: formatInstant(mail.sentAt) })) ?? null,
	};
}

export default function DemoRoute({ loaderData }: Route.ComponentProps) {
	return <DemoPage {...loaderData} />;
}
