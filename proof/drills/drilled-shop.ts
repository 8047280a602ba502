import { randomBytes } from "node:crypto";
import { startFakeS3 } from "../../test/fakes/s3.ts";
import { startFakeSmtp } from "../../test/fakes/smtp.ts";
import { startFakeStripe } from "../../test/fakes/stripe/stripe.ts";
import { freePort } from "../../test/free-port.ts";
import { keepRunning } from "../../test/shop-process.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { ReceivedMail } from "../faults/shop.ts";

/** An e-mail that a customer received. */
interface DrilledMail extends ReceivedMail {
	to: string;
	/** The number of the attached invoice or credit note. */
	number: string | null;
}

/** A shop with one web and one job process; its partners survive the loss of its database. */
export async function startDrilledShop(undo: AsyncDisposableStack, databaseUrl: string) {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const stripe = await startFakeStripe({ webhookUrl: `${url}/api/stripe/webhook` });
	undo.defer(() => stripe.close());
	const mails: DrilledMail[] = [];
	const smtp = await startFakeSmtp({
		onMail({ to, content }) {
			// the PDF's metadata contains its title uncompressed
			const pdf = content.attachments.map((file) => Buffer.from(file.content as ArrayBuffer).toString("latin1")).join();
			const number = /<dc:title>[\s\S]*?([FA]\d{4}-\d{6})/.exec(pdf)?.[1] ?? null;
			mails.push({ id: content.messageId ?? "", to: to.join(), subject: content.subject ?? "", number });
			smtp.mails.length = 0;
		},
	});
	undo.defer(() => smtp.close());
	const s3 = await startFakeS3();
	undo.defer(() => s3.close());
	const environment: Record<string, string> = {
		...{ BASE_URL: url, PORT: String(port), DATABASE_URL: databaseUrl, DATA_DIR: temporaryFolder(undo), LOG_LEVEL: "error" },
		...{ APP_SECRET: randomBytes(32).toString("hex"), ORDER_COPY_KEY: randomBytes(32).toString("hex"), SMTP_URL: smtp.url },
		...{ STRIPE_SECRET_KEY: stripe.secretKey, STRIPE_WEBHOOK_SECRET: stripe.webhookSecret, STRIPE_API_BASE: stripe.url },
		...{ S3_ENDPOINT: s3.endpoint, S3_REGION: s3.region, S3_BUCKET: s3.bucket },
		...{ S3_ACCESS_KEY_ID: s3.accessKeyId, S3_SECRET_ACCESS_KEY: s3.secretAccessKey },
	};
	return {
		...{ url, stripe, smtp, mails, environment },
		/** Starts its processes. @returns the function that stops them. */
		async start(): Promise<() => Promise<void>> {
			const processes = (["web", "jobs"] as const).map((role) => keepRunning(undo, { role, environment }));
			await Promise.all(processes.map((process) => process.ready()));
			return async () => void (await Promise.all(processes.map((process) => process.stop())));
		},
	};
}
