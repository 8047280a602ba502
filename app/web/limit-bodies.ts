import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { maxExtractBytes } from "../documents/extract-size.ts";
import { maxFileBytes } from "../purchase-form/list-file.ts";
import { truncateForm } from "../purchase-form/truncate-form.ts";
import type { RefusalStatus } from "./refusals.ts";

/** Forms and events have a few kilobytes. */
const maxBodyBytes = 256 * 1024;

/** The other fields and the headers of a form with files. */
const formBytes = 64 * 1024;

/** The form whose file may be too large, and whose page then keeps the other fields. */
const listRoute = "/commande/plusieurs";

/** Its second step has no file: two hundred lines whose every letter is encoded. */
const listFormBytes = 512 * 1024;

/** The routes that take files. Of operators, several files together are smaller than each may be alone: scripts send them one by one. */
const uploadLimits: Readonly<Record<string, number>> = {
	"/bureau/commandes/:number": maxExtractBytes + formBytes,
	"/bureau/commandes/:number/extrait": maxExtractBytes + formBytes,
	[listRoute]: maxFileBytes + maxBodyBytes,
	"/bureau/fichiers": 4 * maxExtractBytes + formBytes,
};

/** A larger body is read and discarded up to these sizes, because a client that is cut off never reads the response. */
const maxDrainedBytes = 32 * 1024 * 1024;
const maxDrainedUploadBytes = 256 * 1024 * 1024;

/**
 * Refuses large bodies before they are read. A body without a declared length is buffered to count it, so routes for files accept as
 * little of it as the others: their sender is not known yet.
 */
export function limitBodies(
	getRoute: (c: Context) => string,
	refuse: (c: Context, status: RefusalStatus, headers?: Record<string, string>) => Promise<Response>,
): MiddlewareHandler {
	const limit = (maxSize: number, maxDrained: number) =>
		bodyLimit({
			maxSize,
			async onError(c) {
				const drained = await drainBody(c.req.raw, maxDrained);
				return refuse(c, 413, drained ? {} : { connection: "close" });
			},
		});
	const usual = limit(maxBodyBytes, maxDrainedBytes);
	const uploads = new Map(Object.entries(uploadLimits).map(([route, maxSize]) => [route, limit(maxSize, maxDrainedUploadBytes)]));
	const listForm = limit(listFormBytes, maxDrainedBytes);
	return async (c, next) => {
		const isDeclared = c.req.header("content-length") !== undefined && c.req.header("transfer-encoding") === undefined;
		if (isDeclared && getRoute(c) === listRoute && !hasFiles(c)) return listForm(c, next);
		if (isDeclared && getRoute(c) === listRoute && Number(c.req.header("content-length")) > (uploadLimits[listRoute] ?? 0)) {
			const shortened = await truncateForm(c.req.raw, maxBodyBytes, maxDrainedBytes);
			if (shortened === null) return refuse(c, 413, { connection: "close" });
			c.req.raw = shortened;
			return next();
		}
		return ((isDeclared && uploads.get(getRoute(c))) || usual)(c, next);
	};
}

const hasFiles = (c: Context): boolean => c.req.header("content-type")?.startsWith("multipart/form-data") ?? false;

/** @returns false if the body is too long. */
async function drainBody({ body, headers }: Request, maxDrained: number): Promise<boolean> {
	if (body === null || body.locked || Number(headers.get("content-length")) > maxDrained) return false;
	return body.pipeTo(new WritableStream()).then(
		() => true,
		() => false,
	);
}
