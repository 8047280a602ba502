import { writeStatistics } from "../books/statistics/statistics-file.ts";
import { formatAttachmentHeader } from "../orders/documents/file-name.ts";
import { shopContext } from "../shop.ts";
import type { Route } from "./+types/statistics-file";

/** The figures of /statistiques as a file. */
export async function loader({ context }: Route.LoaderArgs) {
	const file = writeStatistics(await context.get(shopContext).statistics.read());
	return new Response(file, {
		headers: {
			"content-type": "text/csv; charset=utf-8; header=present",
			"content-disposition": formatAttachmentHeader("statistiques.csv"),
			"cache-control": "public, max-age=60",
		},
	});
}
