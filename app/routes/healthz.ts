/** The process lives; says nothing of what it depends on (that is /readyz). */
export function loader() {
	return new Response("ok", { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } });
}
