import { writeFigures } from "../../desk/figures/figures-file.ts";
import { readFigures } from "../../desk/figures/read-figures.server.ts";
import { deskHeaders, getActor, requireOperator } from "../../desk/shell/signed-in.server.ts";
import { runRecorded } from "../../desk-log/run-recorded.server.ts";
import { formatAttachmentHeader } from "../../documents/file-name.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/figures-file";

/** The figures of a period as a file. Each export is a line of the trail. */
export async function loader({ request, context }: Route.LoaderArgs) {
	requireOperator(context, "accounts", "settings");
	const shop = context.get(shopContext);
	const actor = getActor(context);
	const { figures } = await runRecorded(shop, { verb: "export-figures", actor }, async () => {
		const read = await readFigures(shop, new URL(request.url).searchParams);
		return { ok: true, figures: read, after: { from: read.firstDay, to: read.lastDay } };
	});
	return new Response(writeFigures(figures) as Uint8Array<ArrayBuffer>, {
		headers: {
			...deskHeaders,
			"content-type": "text/csv; charset=utf-8",
			"content-disposition": formatAttachmentHeader(`Chiffres_${figures.firstDay}_${figures.lastDay}.csv`),
		},
	});
}
