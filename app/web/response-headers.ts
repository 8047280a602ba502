import type { MiddlewareHandler } from "hono";
import { currentContext } from "../../server/observability/request-context.ts";

const defaultHeaders = {
	"x-content-type-options": "nosniff",
	"referrer-policy": "strict-origin-when-cross-origin",
	"permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
	"cross-origin-opener-policy": "same-origin",
	"x-frame-options": "DENY",
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
} as const;

/** Icons and preview pictures, which other sites may embed. */
const embeddable = /^\/(apercu(\/[^?]*)?|[\w-]+)\.(ico|svg|png)$/;

/** Adds the security headers, and the request's id, to every response. */
export function addSecurityHeaders(isHttps: boolean): MiddlewareHandler {
	return async (c, next) => {
		await next();
		// not c.header(), which copies a finished response at each call
		const { headers } = c.res;
		for (const [name, value] of Object.entries(defaultHeaders)) {
			// with 304, the browser's copy keeps its own policy
			const keepsPolicy = c.res.status === 304 && name === "content-security-policy";
			if (!headers.has(name) && !keepsPolicy) headers.set(name, value);
		}
		headers.set("cross-origin-resource-policy", embeddable.test(c.req.path) ? "cross-origin" : "same-origin");
		headers.set("x-request-id", currentContext().request ?? "");
		if (isHttps) headers.set("strict-transport-security", "max-age=63072000; includeSubDomains");
	};
}
