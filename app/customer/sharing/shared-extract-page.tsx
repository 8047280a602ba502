import { href } from "react-router";
import { formatInstant } from "../../catalogue/instants.ts";
import { ExtractWatchSection } from "../../orders/watch/extract-watch-section.tsx";
import { button } from "../../ui/button.tsx";
import { DescriptionList } from "../../ui/description-list.tsx";
import { CompareDrawing } from "../../ui/drawings/drawings.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { Siren } from "../../ui/siren.tsx";
import { Fingerprint } from "../verification/fingerprint.tsx";
import type { OpenedShare } from "./open-share.server.ts";
import { SenderWords } from "./sender-words.tsx";

interface SharedExtractPageProps {
	shop: { name: string; legalEntity: string };
	opened: OpenedShare;
}

const number = new Intl.NumberFormat("fr-FR");

/** An opened share: who sends it, whose document it is, whether the file is intact, what was published since, and the file. */
export function SharedExtractPage({ shop, opened }: SharedExtractPageProps) {
	const { company, extractName, watch } = opened;
	return (
		<Page width="page">
			<Title
				above={extractName}
				drawing={CompareDrawing}
				lead={`Établi le ${formatInstant(new Date(opened.issuedAt))}, livré par ${shop.name}.`}
			>
				{company.name}
			</Title>
			<div className="lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:gap-x-16">
				<div className="max-w-form">
					{opened.isReplacement && (
						<Notice kind="warning" title="L’extrait qui vous a été transmis a été remplacé." className="mb-8">
							<p>Il comportait un défaut. Voici celui qui l’a remplacé{"\u00a0"}: n’utilisez pas l’ancien.</p>
						</Notice>
					)}
					<SenderWords shopName={shop.name} sender={opened.sender} purpose={opened.purpose} />
					<Notice kind="done" title="Le fichier est intact.">
						<p>
							Le {formatInstant(new Date(opened.checkedAt))}, nous avons recalculé son empreinte{"\u00a0"}: c’est celle qui a été
							enregistrée à sa livraison. Nous n’ajoutons rien au fichier.
						</p>
					</Notice>
					<p className="mt-6">
						<a className={button("primary")} href={opened.filePath}>
							Télécharger l’extrait
						</a>
					</p>
					<p className="mt-2 mb-8 text-sm text-soft">
						PDF, {number.format(opened.bytes)} octets. Le lien que vous avez reçu fonctionne jusqu’au{" "}
						{formatInstant(new Date(opened.expiresAt))}
						{"\u00a0"}: enregistrez le fichier.
					</p>
					<Section title="Le document">
						<DescriptionList
							rows={[
								["Document", extractName],
								["Entreprise", company.name],
								["SIREN", <Siren key="siren" value={company.siren} />],
								["Greffe", company.greffe],
								["Établi le", formatInstant(new Date(opened.issuedAt))],
								["Remis par", shop.legalEntity],
								["Empreinte SHA-256", <Fingerprint key="sha256" sha256={opened.sha256} />],
							]}
						/>
					</Section>
					{watch && <ExtractWatchSection watch={watch} siren={company.siren} whose="cet" />}
				</div>
				<Section title="Vérifier par vous-même">
					<p className="mb-4">
						Une fois le fichier enregistré, vous pouvez comparer son empreinte avec celle du document, même quand ce lien ne fonctionnera
						plus.
					</p>
					<a className={button("secondary")} href={href("/verifier/:document", { document: opened.documentId })}>
						Vérifier le fichier
					</a>
				</Section>
			</div>
		</Page>
	);
}
