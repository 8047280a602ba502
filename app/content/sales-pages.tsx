import type { ReactNode } from "react";
import type { ServiceCode } from "../catalogue/services.ts";
import { Page, Section } from "../ui/page.tsx";
import { Blocks, type Parts } from "./content-blocks.tsx";
import { isPart, type PageBlock, type Text } from "./text.ts";

interface SalesPageProps {
	text: Text;
	header: ReactNode;
	parts: Parts;
}

/** One service: the text at the left, the offer at the right, in view all the time. On narrow screens the offer comes first. */
export function ServicePage({ text, header, parts, service }: SalesPageProps & { service: ServiceCode }) {
	const isPanel = (block: PageBlock) => isPart(block) && block.part === service;
	const introduction = text.introduction.filter((block) => !isPanel(block));
	return (
		<Page width="page" header={header}>
			<div className="grid gap-x-16 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
				{introduction.length > 0 && <Blocks blocks={introduction} parts={parts} className="mb-6 max-w-reading gap-4" />}
				<div className="mb-10 lg:col-start-2 lg:row-span-2 lg:row-start-1">
					<div className="tall:lg:sticky tall:lg:top-24">
						<Blocks blocks={[{ part: service }]} parts={parts} />
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
export function PricePage({ text, header, parts }: SalesPageProps) {
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
						hasPart(content)
							? "[&_p]:max-w-reading"
							: "lg:grid lg:grid-cols-[18rem_minmax(0,44rem)] lg:gap-x-16 [&_h2]:text-wrap [&_h2]:break-after-avoid"
					}
				>
					<Blocks blocks={content} parts={parts} className="content-start gap-4" />
				</Section>
			))}
		</Page>
	);
}
