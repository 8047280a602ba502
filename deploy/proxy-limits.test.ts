import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { getBodyLimits, maxBodySeconds } from "../app/web/body-limits.ts";
import { fillRoutePattern, listRoutePatterns } from "../test/route-paths.ts";

// `npm run rolling-drill -- --rounds 0` runs both files; this test compares them with the shop's own limits wherever it runs.

const caddy = readFileSync("deploy/Caddyfile", "utf8");
const haproxy = readFileSync("deploy/haproxy.cfg", "utf8");

/** Addresses whose forms carry files. */
const uploads = ["/bureau/commandes/", "/bureau/fichiers", "/commande/plusieurs"];

test("the proxies let pass what the shop accepts, and files at the same addresses", () => {
	const rules = [...haproxy.matchAll(/^\thttp-request deny deny_status 413 if \{ req\.hdr_val\(content-length\) gt (\d+) \}(.*)$/gm)];
	expect(rules.map(([, bytes, exception]) => [Number(bytes), exception])).toEqual([
		[1_000_000, ` !{ path_beg ${uploads.join(" ")} }`],
		[45_000_000, ""],
	]);
	// Caddy's star also covers the data of a page
	const paths = uploads.map((path) => `${path}*`).join(" ");
	expect(caddy.match(/^\t+(?:@forms )?not path .*$/gm)?.map((line) => line.trim().replace("@forms ", ""))).toEqual([
		`not path ${paths}`,
		`not path ${paths}`,
	]);
	expect(caddy.match(/max_size \d+MB/g)).toEqual(["max_size 1MB", "max_size 45MB"]);
	expect(caddy).toContain("header_regexp Content-Length ^\\d{7,}$");
});

test.each(listRoutePatterns())("a body that %s reads passes the proxies", (pattern) => {
	const path = fillRoutePattern(pattern);
	const isUpload = uploads.some((prefix) => path.startsWith(prefix));
	for (const isMultipart of [false, true]) expect(getBodyLimits(pattern, isMultipart).bytes).toBeLessThan(isUpload ? 45_000_000 : 999_999);
});

test("HAProxy counts connections and requests of a client, an IPv6 client by its /64", () => {
	expect(haproxy).toMatch(/^\tstick-table type ipv6 size \d+k expire 1m store conn_cur,conn_rate\(10s\),http_req_rate\(10s\)$/m);
	expect(haproxy).toMatch(/^\ttcp-request connection track-sc0 src,ipmask\(32,64\)$/m);
	expect(haproxy).toMatch(/^\ttcp-request connection reject if \{ sc0_conn_cur gt 64 \} \|\| \{ sc0_conn_rate gt 300 \}$/m);
	expect(haproxy).toMatch(/^\thttp-request wait-for-body time 10s if \{ method POST \}$/m);
});

test("Caddy ends what a client sends slowly, and serves the desk's host too", () => {
	expect(caddy).toMatch(/timeouts \{\s+read_header 10s\s+# .*\s+read_body 10m\s+idle 60s\s+\}/);
	expect(maxBodySeconds).toBe(600);
	expect(caddy).toMatch(/^\{\$SITE_ADDRESS:www\.example\.fr\} \{\$DESK_HOST\} \{$/m);
});
