import { Icon } from "./icon.tsx";

const steps = ["Informations", "Paiement", "Confirmation"] as const;
const progress = [33, 66, 100] as const;

/**
 * The step of an order: « Étape 1 sur 3 • Informations client », a bar, three markers.
 * @param current 1, 2 or 3. @param finished all three are done.
 */
export function Steps({ current, title, finished = false }: { current: 1 | 2 | 3; title: string; finished?: boolean }) {
	return (
		<div className="mb-8">
			<p id="step" className="text-sm text-soft">
				{`Étape ${current} sur 3 • ${title}`}
			</p>
			<progress aria-labelledby="step" className="progress mt-2" value={progress[current - 1]} max={100} />
			<ol className="mt-3 flex flex-wrap justify-between gap-x-2 text-xs sm:text-sm">
				{steps.map((step, index) => {
					const done = finished || index + 1 < current;
					const isCurrent = !finished && index + 1 === current;
					return (
						<li
							key={step}
							aria-current={isCurrent ? "step" : undefined}
							className={`flex items-center gap-1 ${isCurrent ? "font-semibold" : "text-soft"}`}
						>
							{done ? <Icon name="check" className="size-4 text-done" /> : <span className="figures">{index + 1}.</span>}
							{step}
							{done && <span className="sr-only"> (terminé)</span>}
						</li>
					);
				})}
			</ol>
		</div>
	);
}
