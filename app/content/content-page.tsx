import type { ReactNode } from "react";
import { href } from "react-router";
import { parseServiceCode } from "../catalogue/services.ts";
import { Breadcrumb, type Place } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { Disclosure } from "../ui/disclosure.tsx";
import { drawings } from "../ui/drawings/drawings.tsx";
import { Icon } from "../ui/icon.tsx";
import { isLink, type RichText } from "../ui/markdown/rich-text.ts";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { useSite } from "../ui/site.ts";
import { Accordion } from "./accordion.tsx";
import { Blocks, InlineContent, type Parts } from "./content-blocks.tsx";
import { SupportContact } from "./support-contact.tsx";
import { isPart, type PageBlock, type Text } from "./text.ts";

interface ContentPageProps {
	text: Text;
	/** The breadcrumb, from the home page to this one. */
	places: readonly Place[];
	parts: Parts;
}

/** A page with only a text: prices, one service, or something to read. */
export function ContentPage({ text, places, parts }: ContentPageProps) {
	const header = (
		<Title
			above={<Breadcrumb places={places} baseUrl={useSite()?.baseUrl} />}
			lead={text.lead && <InlineContent text={text.lead} />}
			drawing={text.drawing ? drawings[text.drawing] : undefined}
		>
			{text.heading}
		</Title>
	);
	const service = parseServiceCode(text.sells);
	if (service) return <PanelPage text={text} header={header} parts={parts} panel={service} />;
	if (text.layout === "recipient") return <PanelPage text={text} header={header} parts={parts} panel="essentials" />;
	if (text.sells) return <PricePage text={text} header={header} parts={parts} />;
	return <ReadingPage text={text} header={header} parts={parts} />;
}

/**
 * A text with its table of contents beside it, or with the contact of the support when it is short. A part in the introduction takes the
 * whole width above both.
 */
function ReadingPage({ text, header, parts }: Omit<ContentPageProps, "places"> & { header: ReactNode }) {
	const legal = text.layout === "legal";
	const long = hasTableOfContents(text);
	const wideParts = text.introduction.filter(isPart);
	const introduction = text.introduction.filter((block) => !isPart(block));
	const folded = long && <FoldedTableOfContents {...text} />;
	const action = text.action && <Action link={text.action} />;
	const top =
		wideParts.length === 0 ? (
			header
		) : (
			<>
				{header}
				{folded}
				<Blocks blocks={introduction} parts={parts} className="mb-8 gap-x-16 gap-y-4 lg:grid-cols-2" />
				{action}
				<Blocks blocks={wideParts} parts={parts} />
			</>
		);
	return (
		<Page header={top} aside={long ? <TableOfContents {...text} /> : <SupportContact />}>
			{legal && <DemoNotice />}
			{wideParts.length === 0 && introduction.length > 0 && <Blocks blocks={introduction} parts={parts} className="mb-8 gap-4" />}
			{wideParts.length === 0 && action}
			{wideParts.length === 0 && folded}
			{text.layout === "questions" ? (
				<Questions sections={text.sections} parts={parts} />
			) : (
				text.sections.map(({ anchor, heading, content }, index) => (
					<Section key={anchor} id={anchor} title={legal ? `${index + 1}. ${heading}` : heading} className="[&_h2]:break-after-avoid">
						<Blocks blocks={content} parts={parts} />
					</Section>
				))
			)}
		</Page>
	);
}

/** The main action of the page. An order button comes with the notice that the service is private. */
function Action({ link }: { link: RichText }) {
	if (!isLink(link)) throw new Error("the action of a page is one link");
	return (
		<div className="mb-10 print:hidden">
			<a href={link.url} className={button("primary", "px-6")}>
				<InlineContent text={link.link} />
				<Icon name="arrow" className="size-4.5" />
			</a>
			{link.url.startsWith(href("/commande")) && <PrivateService className="mt-4" />}
		</div>
	);
}

/** Questions in an accordion, one open at a time. */
function Questions({ sections, parts }: Pick<ContentPageProps, "parts"> & Pick<Text, "sections">) {
	return (
		<Accordion
			rows={sections.map(({ anchor, heading, content }) => ({
				id: anchor,
				title: heading,
				body: <Blocks blocks={content} parts={parts} />,
			}))}
		/>
	);
}

/** In a demo, warns that the shop is not real; nothing in production. */
export function DemoNotice() {
	if (!useSite()?.demo) return null;
	return (
		<Notice title="Site de démonstration" className="mb-8">
			<p>
				La société, ses coordonnées, son médiateur et son hébergeur sont fictifs. Aucun paiement n’est encaissé et les documents remis sont
				des spécimens sans valeur.
			</p>
		</Notice>
	);
}

interface SidePageProps {
	text: Text;
	header: ReactNode;
	parts: Parts;
}

/**
 * The text at the left; at the right, in view all the time, the part that matters: the offer of a service, or what a recipient asks for. On
 * narrow screens it follows the introduction.
 */
function PanelPage({ text, header, parts, panel }: SidePageProps & { panel: string }) {
	const isPanel = (block: PageBlock) => isPart(block) && block.part === panel;
	const introduction = text.introduction.filter((block) => !isPanel(block));
	return (
		<Page width="page" header={header}>
			<div className="grid gap-x-16 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
				{introduction.length > 0 && <Blocks blocks={introduction} parts={parts} className="mb-6 max-w-reading gap-4" />}
				<div className="mb-10 lg:col-start-2 lg:row-span-2 lg:row-start-1">
					<div className="tall:lg:sticky tall:lg:top-24">
						<Blocks blocks={[{ part: panel }]} parts={parts} />
					</div>
				</div>
				<div className="max-w-reading">
					{text.sections.map(({ anchor, heading, content }) => (
						<Section key={anchor} id={anchor} title={heading} className="[&_h2]:break-after-avoid">
							<Blocks blocks={content} parts={parts} />
						</Section>
					))}
				</div>
			</div>
		</Page>
	);
}

/** The prices: cards and comparisons take the whole width, texts have their heading at the left. */
function PricePage({ text, header, parts }: SidePageProps) {
	const hasPart = (content: readonly PageBlock[]) => content.some(isPart);
	return (
		<Page width="page" header={header}>
			<Blocks blocks={text.introduction} parts={parts} className="mb-12 gap-4" />
			{text.sections.map(({ anchor, heading, content }) => (
				<Section
					key={anchor}
					id={anchor}
					title={heading}
					className={
						hasPart(content) ? "[&_p]:max-w-reading" : "lg:grid lg:grid-cols-[18rem_minmax(0,44rem)] lg:gap-x-16 [&_h2]:break-after-avoid"
					}
				>
					<Blocks blocks={content} parts={parts} className="content-start gap-4" />
				</Section>
			))}
		</Page>
	);
}

type Contents = Pick<Text, "layout" | "sections">;

const fewestSections = 5;

/** Whether a text is long enough for a table of contents. An accordion of questions is one already. */
const hasTableOfContents = ({ layout, sections }: Contents) => layout !== "questions" && sections.length >= fewestSections;

/** Beside a text, in view all the time. Browsers that can mark the section on screen do so (reading-pages.css). */
function TableOfContents({ layout, sections }: Contents) {
	return (
		<nav aria-labelledby="contents">
			<p id="contents" className="label mb-2 text-soft">
				Sur cette page
			</p>
			<ol className="contents-list max-h-[calc(100dvh-10rem)] overflow-y-auto border-l border-line text-sm">
				{sections.map(({ anchor, heading }, index) => (
					<li key={anchor}>
						<a
							href={`#${anchor}`}
							className="-ml-px block border-l-2 border-transparent py-1.5 pl-4 leading-snug text-soft hover:text-accent"
						>
							{layout === "legal" ? `${index + 1}. ${heading}` : heading}
						</a>
					</li>
				))}
			</ol>
		</nav>
	);
}

/** On narrow screens, above the text. */
function FoldedTableOfContents({ layout, sections }: Contents) {
	return (
		<Disclosure title="Sommaire" className="border-t lg:hidden print:hidden">
			<nav aria-label="Sommaire" className="pb-4">
				<ol>
					{sections.map(({ anchor, heading }, index) => (
						<li key={anchor}>
							<a href={`#${anchor}`} className="link inline-flex min-h-11 items-center">
								{layout === "legal" ? `${index + 1}. ${heading}` : heading}
							</a>
						</li>
					))}
				</ol>
			</nav>
		</Disclosure>
	);
}
