import { Fragment, type ReactNode } from "react";
import { isRichText, type RichText } from "../ui/markdown/rich-text.ts";
import type { PageBlock, Table } from "./text.ts";

/** The components of a page by their name in its text, `{{offers}}`; a function draws the table that follows the name. */
export type Parts = Readonly<Record<string, ReactNode | ((table: Table) => ReactNode)>>;

interface BlocksProps {
	blocks: readonly PageBlock[];
	parts?: Parts;
	/** Sets the gap between blocks. */
	className?: string;
}

/** Renders the paragraphs, lists and tables of a text. */
export function Blocks({ blocks, parts, className = "gap-4" }: BlocksProps) {
	return (
		<div className={`grid ${className}`}>
			{blocks.map((block) => (
				<ContentBlock key={JSON.stringify(block)} block={block} parts={parts} />
			))}
		</div>
	);
}

function ContentBlock({ block, parts }: { block: PageBlock; parts: Parts | undefined }) {
	if (isRichText(block)) {
		return (
			<p>
				<InlineContent text={block} />
			</p>
		);
	}
	if ("part" in block) return <Part {...block} component={parts?.[block.part]} />;
	if ("heading" in block) return <h3 className="mt-3 text-lg">{block.heading}</h3>;
	if ("list" in block) return <List {...block} />;
	if ("quote" in block) return <Quote lines={block.quote} />;
	return <TableBlock {...block.table} />;
}

function Part({ table, component }: { table?: Table; component: Parts[string] }) {
	if (typeof component === "function") return table && component(table);
	return (
		<>
			{component}
			{table && <TableBlock {...table} />}
		</>
	);
}

function List({ list, numbered }: { list: readonly RichText[]; numbered: boolean }) {
	const Tag = numbered ? "ol" : "ul";
	return (
		<Tag className={numbered ? "figures grid list-decimal gap-2 pl-6 marker:text-soft" : "grid list-disc gap-2 pl-5 marker:text-soft"}>
			{list.map((item) => (
				<li key={JSON.stringify(item)}>
					<InlineContent text={item} />
				</li>
			))}
		</Tag>
	);
}

/** A template that the reader copies. */
function Quote({ lines }: { lines: readonly RichText[] }) {
	return (
		<div className="grid gap-4 border-l-2 border-edge bg-sheet px-5 py-4 break-inside-avoid">
			{lines.map((line) => (
				<p key={JSON.stringify(line)}>
					<InlineContent text={line} />
				</p>
			))}
		</div>
	);
}

/** A table. On a narrow screen each row becomes a block, and each cell has the name of its column. */
function TableBlock({ caption, columns, rows }: Table) {
	const align = columns.map((_, index) => (rows.every((cells) => isAmount(cells[index])) ? " sm:text-right" : ""));
	return (
		<table className="w-full border-collapse text-left text-sm max-sm:block [&_a]:-my-3">
			<caption className="pb-2 text-left font-semibold max-sm:block">{caption}</caption>
			<thead className="max-sm:sr-only">
				<tr className="border-b border-edge">
					{columns.map((column, index) => (
						<th key={column} scope="col" className={`py-2 pr-4 align-bottom font-semibold last:pr-0${align[index]}`}>
							{column}
						</th>
					))}
				</tr>
			</thead>
			<tbody className="max-sm:block">
				{rows.map(([first = "", ...others]) => (
					<tr key={JSON.stringify(first)} className="break-inside-avoid border-b border-line max-sm:block max-sm:py-2">
						<th scope="row" className="py-2 pr-4 align-top font-semibold max-sm:block max-sm:py-1">
							<InlineContent text={first} />
						</th>
						{others.map((cell, index) => (
							<td
								key={columns[index + 1]}
								data-column={columns[index + 1]}
								className={`figures py-2 pr-4 align-top last:pr-0 max-sm:pr-0 max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4 max-sm:py-1${align[index + 1]}`}
							>
								<span className="block first-letter:uppercase">
									<InlineContent text={cell} />
								</span>
							</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	);
}

/** « 39,00 € »: amounts stand below each other, digit by digit. */
const isAmount = (cell: RichText | undefined) => typeof cell === "string" && /^[\d\u00a0\u202f]+,\d\d\u00a0€$/.test(cell);

/** A sentence with links and strong words. @param alone whether a link may be the whole sentence, which needs a larger touch target. */
export function InlineContent({ text, alone = true }: { text: RichText; alone?: boolean }): ReactNode {
	if (typeof text === "string") return text;
	if ("strong" in text) {
		return (
			<strong className="font-semibold">
				<InlineContent text={text.strong} alone={false} />
			</strong>
		);
	}
	if ("link" in text) {
		return (
			<a href={text.url} className={alone ? "link inline-flex min-h-11 items-center" : "link"}>
				<InlineContent text={text.link} />
			</a>
		);
	}
	return text.map((part, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: the order never changes
		<Fragment key={index}>
			<InlineContent text={part} alone={false} />
		</Fragment>
	));
}
