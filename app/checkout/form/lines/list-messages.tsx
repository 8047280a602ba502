import { focusTarget } from "../../../ui/error-summary.tsx";
import { Focused } from "../../../ui/focused.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { FormPage } from "../form-state.ts";
import { maxPlaces } from "./line-fields.ts";

/** Which lines of a list are not ordered, or not seen yet. */
export function ListMessages({ lines, unseen }: Pick<FormPage, "lines" | "unseen">) {
	const wrong = lines.filter(({ problem }) => problem !== null).map(({ place }) => place);
	return (
		<>
			{unseen.length > 0 && (
				<Focused>
					<Notice kind="warning" title="Vérifiez les lignes que vous venez d’ajouter ou de modifier" live className="mb-8">
						<p>
							Vous n’aviez pas encore vu ce que le registre en dit&nbsp;: <LineLinks places={unseen} />. Si tout est exact, continuez vers
							le paiement.
						</p>
					</Notice>
				</Focused>
			)}
			{wrong.length > 0 && (
				<Notice kind="warning" title={describeWrong(wrong.length, lines.length)} className="mb-8">
					<p>
						{describeCorrection(wrong.length, lines.length)}&nbsp;: <LineLinks places={wrong} />
					</p>
				</Notice>
			)}
		</>
	);
}

const LineLinks = ({ places }: { places: readonly number[] }) => (
	<>
		{places.slice(0, maxPlaces).map((place, index) => (
			<span key={place}>
				{index > 0 && ", "}
				<a className="link" href={`#ligne-${place}`} onClick={focusTarget}>
					ligne&nbsp;{place}
				</a>
			</span>
		))}
		{places.length > maxPlaces && "…"}
	</>
);

const describeWrong = (wrong: number, all: number): string =>
	`${wrong} ligne${wrong > 1 ? "s" : ""} sur ${all} ne ${wrong > 1 ? "seront pas commandées" : "sera pas commandée"}.`;

function describeCorrection(wrong: number, all: number): string {
	const [correct, without] = wrong > 1 ? ["Corrigez-les", "elles"] : ["Corrigez-la", "elle"];
	return wrong < all ? `${correct} ou continuez sans ${without}` : correct;
}
