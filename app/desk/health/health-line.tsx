import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { HealthProblem, ShopHealth } from "./shop-health.ts";
import type { KnownHealth } from "./use-health.ts";

const unreachable: HealthProblem = {
	title: "Le serveur ne répond pas.",
	text: "Vérifiez votre connexion. Laissez cette page ouverte\u00a0: ce que vous avez saisi y reste.",
};

const listProblems = (health: KnownHealth) => (health === "unreachable" ? [unreachable] : (health?.problems ?? []));

/** In the head: « Tout fonctionne », with the figures one tap away. */
export function HealthButton({ health }: { health: KnownHealth }) {
	if (health === null) return null;
	const isWell = listProblems(health).length === 0;
	const look = isWell ? "text-soft" : "font-semibold text-failed";
	const label = (
		<>
			<Icon name={isWell ? "check" : "alert"} className="size-4.5" />
			<span className="max-lg:sr-only">{isWell ? "Tout fonctionne" : "Panne en cours"}</span>
		</>
	);
	if (health === "unreachable") return <p className={`inline-flex min-h-11 items-center gap-1.5 ${look}`}>{label}</p>;
	return (
		<>
			<button type="button" popoverTarget="etat" className={`inline-flex min-h-11 min-w-11 items-center justify-center gap-1.5 ${look}`}>
				{label}
			</button>
			<HealthDetails health={health} />
		</>
	);
}

function HealthDetails({ health: { rows, problems } }: { health: ShopHealth }) {
	return (
		<div
			id="etat"
			popover="auto"
			className="fixed inset-auto top-12 right-[max(1rem,calc((100vw-var(--container-page))/2))] m-0 max-w-[calc(100vw-2rem)] rounded-lg border border-line bg-sheet p-4 text-sm text-ink"
		>
			<p className="font-semibold">{problems.length === 0 ? "Tout fonctionne" : problems.map(({ title }) => title).join(" ")}</p>
			<dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
				{rows.map(([label, value]) => (
					<div key={label} className="contents">
						<dt className="text-soft">{label}</dt>
						<dd className="figures">{value}</dd>
					</div>
				))}
			</dl>
		</div>
	);
}

/** Below the head: what does not work, what it means, and whom to call. Empty when all is well. */
export function HealthProblems({ health }: { health: KnownHealth }) {
	const problems = listProblems(health);
	const todo = health === null || health === "unreachable" ? null : health.todo;
	return (
		<div role="status" aria-label="État de la boutique" className="print:hidden">
			{problems.length > 0 && (
				<div className="border-b border-line bg-sheet px-4 py-3 sm:px-6">
					<Notice kind="failed" className="text-sm">
						{problems.map(({ title, text }) => (
							<p key={title}>
								<strong>{title}</strong> {text}
							</p>
						))}
						{todo && <p>{todo}</p>}
					</Notice>
				</div>
			)}
		</div>
	);
}
