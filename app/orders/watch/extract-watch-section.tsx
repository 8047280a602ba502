import { href } from "react-router";
import { formatDay } from "../../companies/bulletin/notice.ts";
import { button } from "../../ui/button.tsx";
import { Section } from "../../ui/page.tsx";
import { useSite } from "../../ui/site.ts";
import {
	type ExtractWatch,
	formatDoubt,
	formatGap,
	formatNothing,
	formatUnwatched,
	formatWatchSource,
	hasDoubt,
	type Possessive,
} from "./extract-watch.ts";

interface ExtractWatchSectionProps {
	watch: ExtractWatch;
	siren: string;
	/** `cet` to a reader who need not be the customer. */
	whose: Possessive;
	/** The service that the customer ordered; to other readers nothing of it is said. */
	service?: string;
	/** Whether the customer is told by e-mail; to other readers nothing of it is said. */
	emails?: "sent" | "ended";
	className?: string;
}

/** What was published since an extract. It speaks of publications only, and says nothing of the state of the company. */
export function ExtractWatchSection({ watch, siren, whose, service, emails, className }: ExtractWatchSectionProps) {
	const { entries, over, endsOn, watched } = watch;
	const { demo = false } = useSite() ?? {};
	const nothing = formatNothing(watch, whose);
	// on the day of the extract, a reader who is not the customer learns nothing from it
	if (entries.length === 0 && nothing === null && !emails) return null;
	return (
		<Section title={`Ce qui a changé depuis ${whose} extrait`} className={className}>
			{entries.length === 0 ? nothing && <p>{nothing}</p> : <Entries watch={watch} whose={whose} />}
			{entries.length > 0 && (
				<>
					{hasDoubt(watch) && (
						<p className="mt-4 print:hidden">
							<a className={button("secondary")} href={`${href("/commande/:siren", { siren })}${service ? `?service=${service}` : ""}`}>
								Commander à jour
							</a>
						</p>
					)}
					<p className="mt-4 text-sm text-soft">
						{formatWatchSource(watch)} {demo && watch.reading === "single" && "C’est un relevé d’exemple."} {formatGap(watch, whose)}
					</p>
				</>
			)}
			{over && <p className="mt-2 text-sm text-soft">La surveillance de cet extrait s’est terminée le {formatDay(endsOn)}.</p>}
			{!over && emails && (
				<p className="mt-2 text-sm text-soft">
					{emails === "ended"
						? "À votre demande, nous ne vous envoyons plus d’e-mail sur les annonces qui paraissent."
						: watched
							? `Nous surveillons le BODACC jusqu’au ${formatDay(endsOn)}, et nous vous prévenons par e-mail si une annonce qui peut concerner votre extrait y paraît.`
							: formatUnwatched(demo && watch.reading === "single")}
				</p>
			)}
		</Section>
	);
}

function Entries({ watch, whose }: Pick<ExtractWatchSectionProps, "watch" | "whose">) {
	return (
		<ul className="divide-y divide-line">
			{watch.entries.map((entry) => (
				<li key={entry.id} className="py-3 first:pt-0">
					<p className="break-words">
						{entry.sentence} {entry.note}
					</p>
					<p className="break-words">{formatDoubt(entry, watch, whose)}</p>
					<a className="link inline-flex min-h-11 items-center" href={entry.url} rel="noopener">
						Lire l’annonce du {formatDay(entry.publishedOn)}
					</a>
				</li>
			))}
		</ul>
	);
}
