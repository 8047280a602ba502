import type { ReactNode } from "react";
import { button } from "../../ui/button.tsx";
import { Page, Title } from "../../ui/page.tsx";
import { InlineContent } from "../content-blocks.tsx";
import { getParagraph, type Section as TextSection } from "../text.ts";
import type { LinkStep } from "./read-link-step.ts";

interface LinkStepPageProps extends Pick<LinkStep, "submit" | "next"> {
	/** The heading and the paragraph of the page. */
	section: TextSection;
	/** What the section is about, between its paragraph and the button. */
	children?: ReactNode;
}

/** The page behind a link of an e-mail. */
export function LinkStepPage({ section, submit, next, children }: LinkStepPageProps) {
	return (
		<Page width="form">
			<Title lead={<InlineContent text={getParagraph(section)} />}>{section.heading}</Title>
			{children}
			{submit && (
				<form method="post">
					<button type="submit" className={button("primary")}>
						{submit}
					</button>
				</form>
			)}
			{next && (
				<a className={button("primary")} href={next.url}>
					{next.label}
				</a>
			)}
		</Page>
	);
}
