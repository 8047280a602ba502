import { typedKeys } from "../../../server/types/objects.ts";
import { formatInstant } from "../../catalogue/instants.ts";
import { Blocks, InlineContent } from "../../content/content-blocks.tsx";
import { SupportContact } from "../../content/support-contact.tsx";
import { getParagraph, getSection, type Text } from "../../content/text.ts";
import { HelpBreadcrumb } from "../../ui/breadcrumb.tsx";
import { StampDrawing } from "../../ui/drawings/drawings.tsx";
import { Status } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import type { DayState } from "./availability.ts";
import type { DescribedPart, DescribedStatus } from "./describe-status.server.ts";
import { partLabels } from "./part.ts";
import { dayStateLabels, describeAvailability, describeIncident, formatSince } from "./status-labels.ts";

interface StatusPageProps {
	text: Text;
	status: DescribedStatus;
	/** Whether all services can be ordered, some, or none. */
	sales: "open" | "limited" | "closed";
}

export function StatusPage({ text, status, sales }: StatusPageProps) {
	const method = getSection(text, "methode");
	return (
		<Page
			header={
				<Title above={<HelpBreadcrumb label={text.title} />} drawing={StampDrawing}>
					{text.title}
				</Title>
			}
			aside={<SupportContact />}
		>
			<CurrentState text={text} status={status} sales={sales} />
			<Section title={getSection(text, "parties").heading}>
				<Legend days={status.parts[0]?.availability.days.length ?? 0} />
				<ul className="divide-y divide-line border-t border-line">
					{status.parts.map((part) => (
						<PartStatus key={part.part} text={text} part={part} begunAt={status.begunAt} />
					))}
				</ul>
			</Section>
			<Section title={getSection(text, "incidents").heading}>
				<Incidents text={text} status={status} />
			</Section>
			<Section title={method.heading} className="print:break-inside-avoid">
				<Blocks blocks={method.content} />
			</Section>
		</Page>
	);
}

/** What works while the operator has closed something. */
const workingLabels = {
	open: "Tout fonctionne.",
	limited: "Le site fonctionne, mais un service au moins ne peut pas être commandé en ce moment.",
	closed: "Le site fonctionne, mais les commandes sont suspendues.",
};

function CurrentState({ text, status: { parts, at, measuredAt }, sales }: StatusPageProps) {
	const down = parts.filter(({ downSince }) => downSince !== null);
	return (
		<div className="mb-10 grid gap-3">
			<div className="grid gap-1 text-lg">
				{down.length === 0 && (
					<p>
						<Status kind={sales === "open" ? "done" : "warning"}>{workingLabels[sales]}</Status>
					</p>
				)}
				{down.map(({ part, downSince }) => (
					<p key={part}>
						<Status kind="failed">
							{partLabels[part]}
							{"\u00a0: indisponible depuis "}
							{formatSince(downSince ?? at, at)}.
						</Status>
					</p>
				))}
			</div>
			<p className="figures text-sm text-soft">
				État du <time dateTime={at.toISOString()}>{formatInstant(at)}</time>.{" "}
				{measuredAt ? (
					<>
						Dernière mesure enregistrée{"\u00a0:"} <time dateTime={measuredAt.toISOString()}>{formatSince(measuredAt, at)}</time>.{" "}
						<InlineContent text={getParagraph(getSection(text, "mesures"))} />
					</>
				) : (
					<InlineContent text={getParagraph(getSection(text, "premiere"))} />
				)}
			</p>
		</div>
	);
}

function Legend({ days }: { days: number }) {
	return (
		<div className="mb-6 text-sm text-soft">
			<p>
				Chaque barre représente un jour, sur <span className="max-sm:hidden">{days}</span>
				<span className="sm:hidden">30</span>
				{"\u00a0jours"}
				{"\u00a0"}; aujourd’hui est à droite.
			</p>
			<ul className="mt-2 flex flex-wrap gap-x-6 gap-y-1.5 max-sm:flex-col">
				{dayStates.map((state) => (
					<li key={state} className="flex items-center gap-2">
						<HistorySign state={state} />
						{dayStateLabels[state]}
					</li>
				))}
			</ul>
		</div>
	);
}

function PartStatus({ text, part: { part, downSince, availability }, begunAt }: Pick<StatusPageProps, "text"> & PartStatusProps) {
	return (
		<li className="break-inside-avoid py-5">
			<div className="flex flex-col sm:flex-row sm:items-center sm:justify-between sm:gap-6">
				<h3 className="text-lg">{partLabels[part]}</h3>
				<Status kind={downSince ? "failed" : "done"}>{downSince ? "Indisponible" : "Fonctionne"}</Status>
			</div>
			<p className="mb-3 text-sm text-soft">
				<InlineContent text={getParagraph(getSection(text, part))} />
			</p>
			<HistoryBars days={availability.days} />
			<p className="figures mt-2 text-sm">{describeAvailability(availability, begunAt)}</p>
		</li>
	);
}

interface PartStatusProps {
	part: DescribedPart;
	begunAt: Date | null;
}

function Incidents({ text, status: { incidents, incidentCount } }: Pick<StatusPageProps, "text" | "status">) {
	if (incidents.length === 0)
		return (
			<p>
				<InlineContent text={getParagraph(getSection(text, "incidents"))} />
			</p>
		);
	return (
		<>
			<ol className="divide-y divide-line border-y border-line">
				{incidents.map((incident) => (
					<li key={`${incident.part} ${incident.from.toISOString()}`} className="break-inside-avoid py-2.5">
						<p className="font-semibold">{partLabels[incident.part]}</p>
						<p className="figures text-soft first-letter:uppercase">{describeIncident(incident)}</p>
					</li>
				))}
			</ol>
			{incidentCount > incidents.length && (
				<p className="figures mt-3 text-sm text-soft">
					Les {incidents.length} derniers incidents, sur {incidentCount} au total.
				</p>
			)}
		</>
	);
}

/** Units of the drawing: height and width of a day, and distance to the next. */
const height = 24;
const width = 2;
const step = 4;

/** The drawing of a day: its pieces from top to bottom, and its colour. The states also differ in height and pattern. */
const drawings = {
	ok: { pieces: [[0, 24]], colour: "fill-done" },
	gaps: {
		pieces: [
			[0, 9],
			[15, 24],
		],
		colour: "fill-done",
	},
	some: {
		pieces: [
			[8, 11],
			[13, 15],
			[17, 19],
			[21, 24],
		],
		colour: "fill-waiting",
	},
	all: { pieces: [[14, 24]], colour: "fill-failed" },
	none: { pieces: [[22, 24]], colour: "fill-edge" },
} as const satisfies Record<DayState, { pieces: readonly (readonly [top: number, bottom: number])[]; colour: string }>;

const dayStates = typedKeys(drawings);

/** Days as bars, the last on the right; narrow screens show thirty of ninety. Decorative, because the text beside says more. */
function HistoryBars({ days }: { days: readonly DayState[] }) {
	return (
		<div className="flex justify-end overflow-hidden">
			<Drawing days={days} className="h-6 w-full max-sm:w-[300%]" />
		</div>
	);
}

/** A single day, for the legend. */
function HistorySign({ state }: { state: DayState }) {
	return <Drawing days={[state]} className="h-5 w-1" />;
}

function Drawing({ days, className }: { days: readonly DayState[]; className: string }) {
	return (
		<svg
			viewBox={`0 0 ${(days.length - 1) * step + width} ${height}`}
			preserveAspectRatio="none"
			aria-hidden="true"
			className={`shrink-0 ${className}`}
		>
			{dayStates.map((state) => {
				const { pieces, colour } = drawings[state];
				const d = days
					.flatMap((day, index) =>
						day === state ? pieces.map(([top, bottom]) => `M${index * step} ${top}h${width}v${bottom - top}h-${width}z`) : [],
					)
					.join("");
				return d && <path key={state} d={d} className={colour} />;
			})}
		</svg>
	);
}
