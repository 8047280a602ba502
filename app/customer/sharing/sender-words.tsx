import { formatSenderWords, type SenderFields } from "./format-sender-words.ts";

/** Who sends a share and what for, as the customer wrote it for its reader. */
export function SenderWords({ shopName, ...fields }: SenderFields & { shopName: string }) {
	const words = formatSenderWords(fields);
	return (
		words && (
			<div className="mb-6">
				<p className="break-words text-lg">{`${words}.`}</p>
				<p className="mt-2 text-sm text-soft">Écrit par la personne qui vous transmet ce lien. {shopName} ne l’a pas vérifié.</p>
			</div>
		)
	);
}
