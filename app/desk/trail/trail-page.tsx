import { Form, Link } from "react-router";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice, Status } from "../../ui/notice.tsx";
import type { Route } from "./+types/trail-page";
import { listTrail, type TrailRow } from "./list-trail.server.ts";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Journal – bureau" }];

export async function loader({ request, context }: Route.LoaderArgs) {
	return listTrail(context.get(shopContext), new URL(request.url).searchParams);
}

const outcomes = {
	begun: { kind: "waiting", label: "Commencé" },
	done: { kind: "done", label: "Fait" },
	refused: { kind: "warning", label: "Refusé" },
	failed: { kind: "failed", label: "En panne" },
} as const;

/** The trail: who did what, when, from where. */
export default function TrailPage({ loaderData: { subject, who, rows, next } }: Route.ComponentProps) {
	return (
		<div className="mx-auto max-w-page">
			<h1 className="text-2xl">Journal</h1>
			<p className="mt-1 text-sm text-soft">
				Toutes les actions faites au bureau et au terminal. Le journal ne se modifie pas&nbsp;; il est conservé un an.
			</p>
			<Form className="mt-5 flex flex-wrap items-end gap-4">
				<TextField name="objet" label="Commande ou objet" defaultValue={subject} />
				<TextField name="qui" label="Personne" defaultValue={who} />
				<button type="submit" className={button("secondary")}>
					Filtrer
				</button>
			</Form>
			{rows.length === 0 ? (
				<Notice kind="info" className="mt-8">
					{subject || who ? (
						<p>
							Aucune action ne correspond.{" "}
							<Link to="?" className="link">
								Voir tout le journal
							</Link>
						</p>
					) : (
						<p>Aucune action n’a encore été faite. Les prochaines s’inscriront ici.</p>
					)}
				</Notice>
			) : (
				<ol className="mt-6 divide-y divide-line border-y border-line">
					{rows.map((row) => (
						<TrailLine key={row.id} row={row} />
					))}
				</ol>
			)}
			{next && (
				<p className="mt-6">
					<Link to={`?${next}`} className={button("secondary")}>
						Lignes plus anciennes
					</Link>
				</p>
			)}
		</div>
	);
}

function TrailLine({ row }: { row: TrailRow }) {
	const { kind, label } = outcomes[row.outcome];
	return (
		<li className="grid gap-x-6 gap-y-1 py-2 text-sm md:grid-cols-[11rem_10rem_1fr_7rem]">
			<span className="figures text-soft">{row.at}</span>
			<span>
				{row.who}
				{row.origin && <span className="text-soft">, {row.origin}</span>}
			</span>
			<span>
				{row.verb}
				{row.subject && <span className="figures"> {row.subject}</span>}
				{row.changes.map(({ name, before, after }) => (
					<span key={name} className="block break-words whitespace-pre-line text-soft">
						{name}&nbsp;: {before !== null && `${before} → `}
						{after}
					</span>
				))}
			</span>
			<span>{row.outcome === "done" ? <span className="sr-only">{label}</span> : <Status kind={kind}>{label}</Status>}</span>
		</li>
	);
}
