import type { ReactNode } from "react";
import { href } from "react-router";
import { isLink, type RichText } from "../markdown/rich-text.ts";
import { Breadcrumb, type Place } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { useSite } from "../ui/site.ts";
import { Blocks, InlineContent, type Parts } from "./content-blocks.tsx";
import type { Question, Text } from "./text.ts";

interface ContentPageProps {
	text: Text;
	/** The breadcrumb, from the home page to this one. */
	places: readonly Place[];
	parts: Parts;
}

/** A page with only a text, in one of three layouts. */
export function ContentPage({ text, places, parts }: ContentPageProps) {
	const legal = text.layout === "legal";
	return (
		<Page>
			<Title above={<Breadcrumb places={places} baseUrl={useSite()?.baseUrl} />} lead={text.lead && <InlineContent text={text.lead} />}>
				{text.heading}
			</Title>
			{legal && <DemoNotice />}
			{text.introduction.length > 0 && <Blocks blocks={text.introduction} parts={parts} className="mb-8 gap-4" />}
			{text.action && <Action link={text.action} />}
			{legal && <TableOfContents sections={text.sections} />}
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
			{link.url.startsWith(href("/commande")) && <PrivateService short className="mt-4" />}
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

/** Questions with an answer of one paragraph each, below a heading of the page. */
export function QuestionList({ questions }: { questions: readonly Question[] }) {
	return (
		<Accordion
			level="h3"
			rows={questions.map(({ question, answer }) => ({
				title: question,
				body: (
					<p>
						<InlineContent text={answer} />
					</p>
				),
			}))}
		/>
	);
}

/** An accordion: one row is open at a time, and each can be closed. @param level of the headings. */
function Accordion({
	rows,
	level: Heading = "h2",
}: {
	rows: readonly { id?: string; title: string; body: ReactNode }[];
	level?: "h2" | "h3";
}) {
	return (
		<div className="border-t border-line">
			{rows.map(({ id, title, body }) => (
				<details key={title} id={id} name="questions" className="group border-b border-line">
					<summary className="flex min-h-11 items-center justify-between gap-6 py-4 font-serif text-lg font-medium hover:text-accent">
						<Heading className="tracking-normal">{title}</Heading>
						<Icon name="chevron" className="size-5 text-soft transition-transform duration-150 group-open:rotate-180" />
					</summary>
					<div className="max-w-reading pb-6">{body}</div>
				</details>
			))}
		</div>
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

function TableOfContents({ sections }: Pick<Text, "sections">) {
	return (
		<details className="group border-t border-line print:hidden">
			<summary className="flex min-h-11 items-center justify-between font-semibold">
				Sommaire
				<Icon name="chevron" className="size-5 group-open:rotate-180" />
			</summary>
			<nav aria-label="Sommaire" className="pb-4">
				<ol className="md:columns-2 md:gap-x-8">
					{sections.map(({ anchor, heading }, index) => (
						<li key={anchor}>
							<a href={`#${anchor}`} className="link inline-flex min-h-11 items-center">
								{`${index + 1}. ${heading}`}
							</a>
						</li>
					))}
				</ol>
			</nav>
		</details>
	);
}
