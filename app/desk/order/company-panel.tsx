import { useState } from "react";
import { CompanyNoticeList, CompanyStatus } from "../../companies/company-notice-list.tsx";
import { formatSiren } from "../../companies/siren.ts";
import { button } from "../../ui/button.tsx";
import { DescriptionList } from "../../ui/description-list.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { useKeys } from "../shell/use-keys.ts";
import type { OrderView } from "./read-order.server.ts";

/** The company whose extract is to be obtained, with what the registry asks for. */
export function CompanyHead({ company, open }: Pick<OrderView, "company" | "open">) {
	const { siren, name, status, documentName } = company;
	return (
		<section aria-labelledby="societe">
			<h2 id="societe" className="text-xl break-words">
				{name}
			</h2>
			<p className="mt-1 text-soft">
				{documentName === "extrait K" ? "Extrait K" : "Extrait Kbis"}
				{open && " à obtenir"}
				{status && status !== "active" && <>. </>}
				{status && status !== "active" && <CompanyStatus status={status} />}
			</p>
			<CopySiren siren={siren} />
			<RegistryLinks siren={siren} />
		</section>
	);
}

/** What the register says of the company. */
export function CompanyFacts({ company }: Pick<OrderView, "company">) {
	const { registeredName, known, legalForm, headOffice, greffe, notices } = company;
	return (
		<section aria-labelledby="registre">
			<h2 id="registre" className="text-lg">
				Au registre
			</h2>
			<DescriptionList
				className="mt-2 text-sm"
				rows={[
					["Nom au registre", registeredName],
					["Forme", legalForm],
					["Siège", headOffice],
					["Greffe probable", greffe],
				]}
			/>
			{!known && <p className="mt-2 text-sm text-soft">Cette entreprise n’est plus dans notre copie du registre.</p>}
			<CompanyNoticeList notices={notices} className="mt-3 text-sm" />
		</section>
	);
}

/** The SIREN in the two forms that registries take, each copied by one key. */
function CopySiren({ siren }: { siren: string }) {
	const forms = [
		{ text: siren, key: "c" },
		{ text: formatSiren(siren), key: "C" },
	];
	const [copied, setCopied] = useState<string | null>(null);
	const hydrated = useHydrated();
	const copy = (text: string) => {
		void navigator.clipboard?.writeText(text.replaceAll("\u00a0", " ")).then(() => setCopied(text));
	};
	useKeys(Object.fromEntries(forms.map(({ text, key }) => [key, () => copy(text)])));
	return (
		<p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
			<span className="text-soft">SIREN</span>
			{forms.map(({ text, key }) => (
				<span key={key} className="inline-flex items-center gap-2">
					<span className="figures font-semibold select-all">{text}</span>
					{hydrated && (
						<button
							type="button"
							className={button("quiet", "text-sm")}
							onClick={() => copy(text)}
							aria-keyshortcuts={key === "C" ? "Shift+C" : key}
						>
							Copier<span className="sr-only"> {text}</span>
							<kbd className="font-sans text-xs font-normal max-md:hidden">{key === "C" ? "Maj c" : key}</kbd>
						</button>
					)}
				</span>
			))}
			<span role="status" className="text-sm text-done">
				{copied && "Copié"}
			</span>
		</p>
	);
}

/** The pages of this SIREN in the public registers. */
function RegistryLinks({ siren }: { siren: string }) {
	const links = [
		{ name: "INPI", url: `https://data.inpi.fr/entreprises/${siren}` },
		{ name: "Annuaire des entreprises", url: `https://annuaire-entreprises.data.gouv.fr/entreprise/${siren}` },
	];
	return (
		<p className="mt-1 flex flex-wrap gap-x-5 text-sm">
			{links.map(({ name, url }) => (
				<a key={name} className="link inline-flex min-h-11 items-center" href={url} target="_blank" rel="noreferrer external">
					{name}
					<span className="sr-only"> (nouvel onglet)</span>
				</a>
			))}
		</p>
	);
}
