/** Structured data for search engines (schema.org). A data block is not executed, so the Content-Security-Policy allows it. */
export function JsonLd({ data }: { data: Record<string, unknown> }) {
	return (
		<script type="application/ld+json">{JSON.stringify({ "@context": "https://schema.org", ...data }).replaceAll("<", "\\u003c")}</script>
	);
}
