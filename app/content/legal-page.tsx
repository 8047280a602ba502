import { Fragment } from "react";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { useSite } from "../ui/site.ts";
import { type Block, type LegalText, splitInline, type Table } from "./legal-text.ts";

/** A legal text: a table of contents, then its parts, numbered. */
export function LegalPage({ text }: { text: LegalText }) {
	return (
		<Page>
			<Title>{text.title}</Title>
			<DemoNotice />
			<Blocks blocks={text.introduction} className="mb-8" />
			<Contents sections={text.sections} />
			{text.sections.map(({ anchor, heading, content }, index) => (
				<Section key={anchor} id={anchor} title={`${index + 1}. ${heading}`} className="print:pb-4 [&_h2]:break-after-avoid">
					<Blocks blocks={content} />
				</Section>
			))}
		</Page>
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

function Contents({ sections }: Pick<LegalText, "sections">) {
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

/** Paragraphs, lists and tables of a text. */
export function Blocks({ blocks, className = "" }: { blocks: readonly Block[]; className?: string }) {
	return (
		<div className={`grid gap-4 ${className}`}>
			{blocks.map((block) => (
				<BlockOf key={JSON.stringify(block)} block={block} />
			))}
		</div>
	);
}

function BlockOf({ block }: { block: Block }) {
	if (typeof block === "string") {
		return (
			<p>
				<Words text={block} />
			</p>
		);
	}
	if ("list" in block) {
		return (
			<ul className="grid list-disc gap-2 pl-5 marker:text-soft">
				{block.list.map((item) => (
					<li key={item}>
						<Words text={item} />
					</li>
				))}
			</ul>
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

/** A table; on a narrow screen each row becomes a block, and each cell says its column. */
function Grid({ caption, columns, rows }: Table) {
	return (
		<table className="w-full border-collapse text-left text-sm max-sm:block">
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
								className="figures py-2 pr-4 align-top last:pr-0 max-sm:block max-sm:py-1 max-sm:before:block max-sm:before:text-soft max-sm:before:content-[attr(data-column)]"
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

/** A sentence with its links and its strong words. */
export function Words({ text }: { text: string }) {
	return splitInline(text).map((part, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a text never moves
		<Fragment key={index}>
			{typeof part === "string" ? (
				part
			) : "strong" in part ? (
				<strong className="font-semibold">{part.strong}</strong>
			) : (
				<a href={part.href} className="link">
					{part.words}
				</a>
			)}
		</Fragment>
	));
}
