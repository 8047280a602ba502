/** Facts for search engines (schema.org). A data block: it runs nothing, and no policy stops it. */
export function JsonLd({ data }: { data: Record<string, unknown> }) {
	return (
		<script type="application/ld+json">{JSON.stringify({ "@context": "https://schema.org", ...data }).replaceAll("<", "\\u003c")}</script>
	);
}
