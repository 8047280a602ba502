import { writeFile } from "node:fs/promises";
import { resolveCommandPath } from "../../server/command-path.ts";
import { getErrorCode } from "../../server/types/errors.ts";
import { formatStamp } from "../catalogue/instants.ts";
import { findTermsOfOrder } from "../terms/terms-of-order.server.ts";
import { done, type OrderCommand, refuse } from "./command.ts";

export const terms: OrderCommand = {
	usage: "KB-… [fichier.pdf]",
	description: "les conditions générales sous lesquelles la commande a été passée",
	argCount: [0, 1],
	async run({ shop, args }, order) {
		const found = await findTermsOfOrder(shop.db, order);
		if (found === null) return refuse("Aucune version des conditions générales n’est conservée pour cette commande.");
		const [file = found.fileName] = args;
		try {
			await writeFile(resolveCommandPath(file), found.bytes, { flag: "wx" });
		} catch (error) {
			const code = getErrorCode(error);
			return refuse(
				code === "EEXIST" ? `Le fichier ${file} existe déjà. Donnez un autre nom.` : `Le fichier ${file} ne s’écrit pas (${code}).`,
			);
		}
		const accepted = order.terms_accepted_at
			? `acceptées le ${formatStamp(order.terms_accepted_at)}`
			: "sans case cochée (commande par l’API)";
		return done(`Les conditions générales, ${accepted}, sont dans ${file}. Empreinte SHA-256 du texte : ${found.sha256}`);
	},
};
