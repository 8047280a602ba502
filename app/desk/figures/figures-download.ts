import { shopContext } from "../../shop.ts";
import { runRecorded } from "../log/run-recorded.server.ts";
import { sendDownload } from "../shell/send-download.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/figures-download";
import { writeFigures } from "./figures-file.ts";
import { readFigures } from "./read-figures.server.ts";

/** The figures of a period as a file. Each export is a line of the trail. */
export async function loader({ request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const actor = getActor(context);
	const { figures } = await runRecorded(shop, { verb: "export-figures", actor }, async () => {
		const read = await readFigures(shop, new URL(request.url).searchParams);
		return { ok: true, figures: read, after: { from: read.firstDay, to: read.lastDay } };
	});
	return sendDownload(writeFigures(figures), {
		name: `Chiffres_${figures.firstDay}_${figures.lastDay}.csv`,
		type: "text/csv; charset=utf-8",
	});
}
