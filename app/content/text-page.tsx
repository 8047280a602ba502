import { Fragment, type ReactNode } from "react";
import { href } from "react-router";
import { Breadcrumb, type Place } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { PrivateService } from "../ui/private-service.tsx";
import { useSite } from "../ui/site.ts";
import { type Block, type Question, splitInline, type Table, type Text } from "./text.ts";

interface Shown {
	text: Text;
	/** The way to this page, itself included. */
	places: readonly Place[];
	/** What the page draws itself, in the places that the text leaves for it. */
	parts: Readonly<Record<string, ReactNode>>;
}

/** A page of words, as one of three layouts sets it. */
export function TextPage({ text, places, parts }: Shown) {
	const legal = text.layout === "legal";
	const blocks = { parts };
	return (
		<Page>
			<Title above={<Breadcrumb places={places} baseUrl={useSite()?.baseUrl} />} lead={text.lead && <Words text={text.lead} />}>
				{text.heading}
			</Title>
			{legal && <DemoNotice />}
			{text.introduction.length > 0 && <Blocks blocks={text.introduction} {...blocks} className="mb-8" />}
			{text.action && <Action link={text.action} />}
			{legal && <Contents sections={text.sections} />}
			{text.layout === "questions" ? (
				<Questions sections={text.sections} {...blocks} />
			) : (
				text.sections.map(({ anchor, heading, content }, index) => (
					<Section key={anchor} id={anchor} title={legal ? `${index + 1}. ${heading}` : heading} className="[&_h2]:break-after-avoid">
						<Blocks blocks={content} {...blocks} />
					</Section>
				))
			)}
		</Page>
	);
}

/** The one thing to do on the page. Beside a call to order stands who we are not. */
function Action({ link }: { link: string }) {
	const [to] = splitInline(link);
	if (typeof to !== "object" || !("href" in to)) throw new Error(`an action is one link, which « ${link} » is not`);
	return (
		<div className="mb-10 print:hidden">
			<a href={to.href} className={button("primary", "px-6")}>
				{to.words}
				<Icon name="arrow" className="size-4.5" />
			</a>
			{to.href.startsWith(href("/commande")) && <PrivateService short className="mt-4" />}
		</div>
	);
}

/** Questions, one open at a time. */
function Questions({ sections, parts }: Pick<Text, "sections"> & Pick<Shown, "parts">) {
	return (
		<Foldable
			rows={sections.map(({ anchor, heading, content }) => ({
				id: anchor,
				title: heading,
				body: <Blocks blocks={content} parts={parts} />,
			}))}
		/>
	);
}

/** Questions whose answers are one paragraph each, below a heading of the page. */
export function QuestionList({ questions }: { questions: readonly Question[] }) {
	return (
		<Foldable
			level="h3"
			rows={questions.map(({ question, answer }) => ({
				title: question,
				body: (
					<p>
						<Words text={answer} />
					</p>
				),
			}))}
		/>
	);
}

/** Rows that unfold, one open at a time, and each can be closed again. @param level of the headings */
function Foldable({
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

/** Whoever reads a demo must not take its shop for a real one; nothing in production. */
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

function Contents({ sections }: Pick<Text, "sections">) {
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

type Parts = Partial<Pick<Shown, "parts">>;

/** Paragraphs, lists and tables of a text. @param parts what the page draws itself, by name */
export function Blocks({ blocks, parts, className = "" }: { blocks: readonly Block[]; className?: string } & Parts) {
	return (
		<div className={`grid gap-4 ${className}`}>
			{blocks.map((block) => (
				<BlockOf key={JSON.stringify(block)} block={block} parts={parts} />
			))}
		</div>
	);
}

function BlockOf({ block, parts }: { block: Block } & Parts) {
	if (typeof block === "string") {
		return (
			<p>
				<Words text={block} />
			</p>
		);
	}
	if ("part" in block) return parts?.[block.part];
	if ("subheading" in block) return <h3 className="mt-3 text-lg">{block.subheading}</h3>;
	if ("list" in block) {
		return (
			<ul className="grid list-disc gap-2 pl-5 marker:text-soft">
				<Items of={block.list} />
			</ul>
		);
	}
	if ("steps" in block) {
		return (
			<ol className="figures grid list-decimal gap-2 pl-6 marker:text-soft">
				<Items of={block.steps} />
			</ol>
		);
	}
	if ("letter" in block) {
		return (
			<div className="grid gap-4 border-l-2 border-edge bg-sheet px-5 py-4 break-inside-avoid">
				{block.letter.map((line) => (
					<p key={line}>{line}</p>
				))}
			</div>
		);
	}
	return <Grid {...block.table} />;
}

const Items = ({ of }: { of: readonly string[] }) =>
	of.map((item) => (
		<li key={item}>
			<Words text={item} />
		</li>
	));

/** A table; on a narrow screen each row becomes a block, and each cell says its column. */
function Grid({ caption, columns, rows }: Table) {
	return (
		<table className="w-full border-collapse text-left text-sm max-sm:block [&_a]:-my-3">
			<caption className="pb-2 text-left font-semibold max-sm:block">{caption}</caption>
			<thead className="max-sm:sr-only">
				<tr className="border-b border-edge">
					{columns.map((column) => (
						<th key={column} scope="col" className="py-2 pr-4 align-bottom font-semibold last:pr-0">
							{column}
						</th>
					))}
				</tr>
			</thead>
			<tbody className="max-sm:block">
				{rows.map(([first = "", ...others]) => (
					<tr key={first} className="break-inside-avoid border-b border-line max-sm:block max-sm:py-2">
						<th scope="row" className="py-2 pr-4 align-top font-semibold max-sm:block max-sm:py-1">
							<Words text={first} />
						</th>
						{others.map((cell, index) => (
							<td
								key={columns[index + 1]}
								data-column={columns[index + 1]}
								className="figures py-2 pr-4 align-top last:pr-0 max-sm:grid max-sm:grid-cols-[7rem_1fr] max-sm:gap-x-3 max-sm:py-1 max-sm:before:text-soft max-sm:before:content-[attr(data-column)]"
							>
								<span className="block first-letter:uppercase">
									<Words text={cell} />
								</span>
							</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	);
}

/** A sentence with its links and its strong words. A link that stands alone is as high as a finger. */
export function Words({ text }: { text: string }) {
	const parts = splitInline(text);
	return parts.map((part, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a text never moves
		<Fragment key={index}>
			{typeof part === "string" ? (
				part
			) : "strong" in part ? (
				<strong className="font-semibold">{part.strong}</strong>
			) : (
				<a href={part.href} className={parts.length === 1 ? "link inline-flex min-h-11 items-center" : "link"}>
					{part.words}
				</a>
			)}
		</Fragment>
	));
}
