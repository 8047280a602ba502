import { data } from "react-router";
import { writeYear } from "../../books/files/year-file.server.ts";
import { shopContext } from "../../shop.ts";
import { runRecorded } from "../log/run-recorded.server.ts";
import { sendDownload } from "../shell/send-download.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/year-file";

/** The entries of a fiscal year, as a download. */
export async function loader({ params: { year }, context }: Route.LoaderArgs) {
	if (!/^20\d\d$/.test(year)) throw data(null, { status: 404 });
	const shop = context.get(shopContext);
	const file = await runRecorded(shop, { verb: "download-accounts", subject: year, actor: getActor(context) }, async () => {
		const written = await writeYear(shop, Number(year));
		return written.ok ? written : { ...written, text: "Cet exercice n’a aucune écriture." };
	});
	if (!file.ok) throw data(file.text, { status: 404 });
	return sendDownload(file.stream, { name: file.name, type: "text/plain; charset=iso-8859-15" });
}
