import { DescriptionList } from "../../ui/description-list.tsx";

interface SenderWordsProps {
	shopName: string;
	/** The customer's own words, if they wrote any. */
	sender: string | null;
	purpose: string | null;
}

/** Who sends a share and what for, as the customer wrote it for its reader. */
export function SenderWords({ shopName, sender, purpose }: SenderWordsProps) {
	if (!sender && !purpose) return null;
	return (
		<div className="mb-6">
			<DescriptionList
				rows={[
					["De la part de", sender],
					["Objet", purpose],
				]}
			/>
			<p className="mt-2 text-sm text-soft">Écrit par la personne qui vous transmet ce lien. {shopName} ne l’a pas vérifié.</p>
		</div>
	);
}
