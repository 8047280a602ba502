import { href, Link } from "react-router";
import { formatDayAndHour } from "../../catalogue/instants.ts";
import { button } from "../../ui/button.tsx";
import { ActForm } from "../acts/act-form.tsx";
import { TimeLeft } from "../queue/time-left.tsx";
import type { LetterRow } from "./post.store.server.ts";
import type { PostData } from "./read-post.server.ts";

/** Letters of one PDF at most; a test compares it with the use case, which the browser does not load. */
export const lettersPerPdf = 50;

const markForm = "imprimes";

/** Letters to print: one PDF for those that were not downloaded, and the operator's PDFs until each is reported printed. */
export function ToPrint({ letters, runs, now }: { letters: readonly LetterRow[]; runs: PostData["runs"]; now: Date }) {
	const downloaded = new Set(runs.flatMap(({ orders }) => orders));
	const others = letters.filter(({ id }) => !downloaded.has(id));
	const batch = others.slice(0, lettersPerPdf).map(({ id }) => id);
	return (
		<section aria-labelledby="imprimer">
			<h2 id="imprimer" className="text-xl">
				À imprimer <span className="figures text-soft">{letters.length}</span>
			</h2>
			{letters.length === 0 ? (
				<p className="mt-2 text-soft">Rien à imprimer.</p>
			) : (
				<p className="mt-1 text-sm text-soft">
					Le PDF a, pour chaque courrier, une lettre puis l’extrait. Imprimez à 100&nbsp;%, sans mise à l’échelle. Pliez la lettre en trois,
					l’adresse dans la fenêtre d’une enveloppe DL.
				</p>
			)}
			<ul className="space-y-3">
				{runs.map(({ id, hour, orders }) => (
					<li key={id} className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
						<p id={`pdf-${id}`}>
							PDF téléchargé à {hour}&nbsp;: {orders.length === 1 ? "1 courrier" : `${orders.length} courriers`}.
						</p>
						<button type="submit" form={markForm} name="run" value={id} aria-describedby={`pdf-${id}`} className={button("secondary")}>
							C’est imprimé
						</button>
						<PrintForm orders={orders} label="Télécharger de nouveau" />
					</li>
				))}
			</ul>
			{runs.length > 0 && others.length > 0 && (
				<p className="mt-4">
					{others.length === 1 ? "Un autre courrier reste à télécharger." : `${others.length} autres courriers restent à télécharger.`}
				</p>
			)}
			<div className="mt-3 flex flex-wrap items-start gap-4">
				{batch.length > 0 && <PrintForm orders={batch} />}
				<div>
					{/* always here: it says what was marked */}
					<ActForm act="mark-printed" order={null} id={markForm}>
						{runs.length === 0 && letters.length > 0 && (
							<button type="submit" className={button("secondary")}>
								C’est imprimé
							</button>
						)}
					</ActForm>
				</div>
			</div>
			{letters.length > 0 && (
				<ul className="mt-4 divide-y divide-line border-y border-line">
					{letters.map((letter) => (
						<li key={letter.id} className="flex flex-wrap items-baseline justify-between gap-x-6 py-2">
							<LetterName letter={letter} />
							<TimeLeft dueAt={new Date(letter.dueAt)} now={now} />
						</li>
					))}
				</ul>
			)}
		</section>
	);
}

/** A letter in a list: its company, the number of its order, that on its sheet where it is another one, and its recipient. */
export function LetterName({ letter }: { letter: LetterRow }) {
	return (
		<div className="min-w-0">
			<Link to={href("/bureau/commandes/:number", { number: letter.number })} className="font-semibold hover:underline">
				{letter.company}
			</Link>
			<p className="flex flex-wrap gap-x-4 text-sm text-soft">
				<span className="figures">{letter.number}</span>
				{letter.sheetNumber !== letter.number && <span className="figures">{letter.sheetNumber}</span>}
				<span>
					{letter.recipient}, {letter.city}
				</span>
				{letter.correctedAt && (
					<span className="font-semibold text-ink">
						Adresse corrigée {formatDayAndHour(new Date(letter.correctedAt))}&nbsp;: jetez la lettre si elle a été imprimée avant.
					</span>
				)}
			</p>
		</div>
	);
}

interface PrintFormProps {
	orders: readonly string[];
	/** In place of « Télécharger les 12 courriers (PDF) ». */
	label?: string;
}

/** The button that downloads one PDF of letters. Not React Router's form, because the browser saves the answer. */
export function PrintForm({ orders, label }: PrintFormProps) {
	const counted = orders.length === 1 ? "Télécharger le courrier (PDF)" : `Télécharger les ${orders.length} courriers (PDF)`;
	return (
		<form method="post" action={href("/bureau/courrier/lettres")}>
			<input type="hidden" name="orders" value={orders.join(",")} />
			<button type="submit" className={button("secondary")}>
				{label ?? counted}
			</button>
		</form>
	);
}
