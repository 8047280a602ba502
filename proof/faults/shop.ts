import { randomBytes } from "node:crypto";
import type pg from "pg";
import { startFakeS3 } from "../../test/fakes/s3.ts";
import { startFakeSmtp } from "../../test/fakes/smtp.ts";
import { type FakeStripe, startFakeStripe } from "../../test/fakes/stripe/stripe.ts";
import { freePort } from "../../test/free-port.ts";
import { toDatabaseUrl } from "../../test/postgres.ts";
import { keepRunning, type ShopProcess } from "../../test/shop-process.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { startBalancer } from "./balancer.ts";

export interface ReceivedMail {
	/** Its Message-ID. */
	id: string;
	subject: string;
}

export interface FaultyShop {
	url: string;
	/** URLs of the web processes, without the balancer. */
	webs: string[];
	stripe: FakeStripe;
	/** What the mail server received, with repeats. */
	mails: ReceivedMail[];
	processes: ShopProcess[];
	/** Variables of its processes, for checks on the same database, bucket and provider. */
	environment: Record<string, string>;
}

const preload = ["--import", new URL("./shifted-clock.ts", import.meta.url).href];

/**
 * The shop as it runs on several machines. The fakes run in this process, which no fault affects.
 * @param connection how its processes reach the database.
 */
export async function startFaultyShop(undo: AsyncDisposableStack, connection: pg.ClientConfig): Promise<FaultyShop> {
	const port = await freePort();
	const webPorts = [await freePort(), await freePort()];
	await startBalancer(undo, port, webPorts);
	return startShop(undo, connection, { url: `http://127.0.0.1:${port}`, webPorts, nodeArguments: preload });
}

interface ShopOptions {
	/** The URL of the proxy before the web processes. */
	url: string;
	webPorts: readonly number[];
	/** Additional environment variables of the processes. */
	variables?: Record<string, string>;
	nodeArguments?: string[];
}

/** Starts fakes of the partners, a web process on each port and one job process, and waits until all work. */
export async function startShop(
	undo: AsyncDisposableStack,
	connection: pg.ClientConfig,
	{ url, webPorts, variables = {}, nodeArguments }: ShopOptions,
): Promise<FaultyShop> {
	const partners = await startPartners(undo, url);
	const environment = { ...partners.environment, DATABASE_URL: toDatabaseUrl(connection), ...variables };
	// the first process migrates and imports; the others wait
	const processes = [
		...webPorts.map((own) => keepRunning(undo, { role: "web", environment: { ...environment, PORT: String(own) }, nodeArguments })),
		keepRunning(undo, { role: "jobs", environment, nodeArguments }),
	];
	await Promise.all(processes.map((process) => process.ready()));
	return { ...partners, url, webs: webPorts.map((own) => `http://127.0.0.1:${own}`), processes, environment };
}

/**
 * Starts fakes of the partners.
 * @param url the shop's URL, to which the provider sends events.
 */
export async function startPartners(undo: AsyncDisposableStack, url: string) {
	const stripe = await startFakeStripe({ webhookUrl: `${url}/api/stripe/webhook` });
	undo.defer(() => stripe.close());
	const mails: ReceivedMail[] = [];
	const smtp = await startFakeSmtp({
		onMail({ content }) {
			mails.push({ id: content.messageId ?? "", subject: content.subject ?? "" });
			smtp.mails.length = 0;
		},
	});
	undo.defer(() => smtp.close());
	const s3 = await startFakeS3();
	undo.defer(() => s3.close());
	const environment = {
		BASE_URL: url,
		DATA_DIR: temporaryFolder(undo),
		APP_SECRET: randomBytes(32).toString("hex"),
		STRIPE_SECRET_KEY: stripe.secretKey,
		STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
		STRIPE_API_BASE: stripe.url,
		SMTP_URL: smtp.url,
		S3_ENDPOINT: s3.endpoint,
		S3_REGION: s3.region,
		S3_BUCKET: s3.bucket,
		S3_ACCESS_KEY_ID: s3.accessKeyId,
		S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
		LOG_LEVEL: "error",
	};
	return { stripe, mails, environment };
}
