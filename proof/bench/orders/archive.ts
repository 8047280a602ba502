import { randomBytes, randomUUID } from "node:crypto";
import http from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { diskStorage } from "../../../app/orders/documents/disk-storage.server.ts";
import { signKey } from "../../../app/orders/keys.server.ts";
import { createSigner } from "../../../server/signing.ts";
import { withClient } from "../../../test/postgres.ts";
import type { ShopProcess } from "../../../test/shop-process.ts";
import type { Figure } from "../bench.ts";
import { formatFigure } from "../percentiles.ts";

interface Subjects {
	connection: pg.ClientConfig;
	dataDir: string;
	secret: string;
	/** A web process, and its URL. */
	process: ShopProcess;
	url: string;
}

const megabyte = 2 ** 20;

/** Downloads the archive of a purchase of `files` extracts of 2 MB, and measures by how much the memory of the web process grows meanwhile. */
export async function measureArchive(subjects: Subjects, files: number): Promise<Figure> {
	const small = await insertDeliveredPurchase(subjects, Math.ceil(files / 10));
	const large = await insertDeliveredPurchase(subjects, files);
	await download(subjects, small); // until everything is loaded and compiled
	const few = await download(subjects, small);
	const many = await download(subjects, large);
	return {
		label: `Archive of ${files} extracts of 2 MB, growth of memory`,
		unit: "MB",
		value: many.growth,
		goal: 64,
		details: [
			`${formatFigure(many.bytes / megabyte)} MB in ${formatFigure(many.seconds)} s; resident memory before ${formatFigure(many.before)} MB`,
		],
		// nothing is left to grow by when the download before took all that it needs
		baseline: { value: Math.max(few.growth, 16), label: `an archive of ${Math.ceil(files / 10)}, or 16 MB`, maxRatio: 10 },
	};
}

/** @returns the path of its archive. */
async function insertDeliveredPurchase({ connection, dataDir, secret }: Subjects, count: number): Promise<string> {
	const storage = diskStorage(join(dataDir, "documents"));
	const id = randomUUID();
	const email = "archive@bench.example";
	const now = new Date();
	await withClient(connection, async (client) => {
		for (let line = 1; line <= count; line++) {
			const orderId = line === 1 ? id : randomUUID();
			const stored = await storage.put(Buffer.concat([Buffer.from("%PDF-1.7 "), randomBytes(2 * megabyte)]));
			await client.query(
				`insert into orders (id, purchase_id, purchase_line, order_number, status, product_code, price_cents, siren, company_name, customer_email,
					first_name, last_name, request_hash, created_at, paid_at, promised_at, completed_at)
				values ($1, $2, $3, $4, 'completed', 'express', 5900, '552032534', 'DANONE', $6, 'Camille', 'Martin', '', $5, $5, $5, $5)`,
				[orderId, id, line, `archive-${orderId}`, now, email],
			);
			await client.query(
				`insert into documents (id, order_id, doc_type, issued_at, storage_path, sha256, bytes, created_at)
				values ($1, $2, 'kbis', $3, $4, $5, $6, $3)`,
				[randomUUID(), orderId, now, stored.path, stored.sha256, stored.bytes],
			);
		}
	});
	return `/documents/ensemble/${signKey({ signer: createSigner([secret]), now: () => now }, "files", { id, customer_email: email }, { access: "purchase-link" })}`;
}

/** Megabytes of resident memory before, and its highest growth while the archive is read as fast as the server writes it. */
async function download(
	{ process, url }: Subjects,
	path: string,
): Promise<{ before: number; growth: number; bytes: number; seconds: number }> {
	const resident = async () => (await process.usage()).resident / megabyte;
	const before = await resident();
	const started = performance.now();
	let bytes = 0;
	let highest = before;
	let isDone = false;
	const sampled = (async () => {
		while (!isDone) {
			highest = Math.max(highest, await resident());
			await wait(20);
		}
	})();
	try {
		await new Promise<void>((done, fail) => {
			http
				.get(new URL(path, url), (answer) => {
					if (answer.statusCode !== 200) return fail(new Error(`the archive answered ${answer.statusCode}`));
					answer.on("data", (part: Buffer) => {
						bytes += part.length;
					});
					answer.once("end", done).once("error", fail);
				})
				.once("error", fail);
		});
	} finally {
		isDone = true;
		await sampled;
	}
	return { before, growth: highest - before, bytes, seconds: (performance.now() - started) / 1000 };
}
