import { focusTarget } from "../../../ui/error-summary.tsx";
import { Focused } from "../../../ui/focused.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { ListMessage } from "./line-sentences.ts";

/** What the server says of some lines of a list, with a link to each. */
export function ListMessages({ messages }: { messages: readonly ListMessage[] }) {
	return messages.map(({ title, text, places, more, stopped }) => {
		const notice = (
			<Notice key={title} kind="warning" title={title} live={stopped} className="mb-8">
				<p>
					{text}&nbsp;:{" "}
					{places.map((place, index) => (
						<span key={place}>
							{index > 0 && ", "}
							<a className="link" href={`#ligne-${place}`} onClick={focusTarget}>
								ligne&nbsp;{place}
							</a>
						</span>
					))}
					{more}
				</p>
			</Notice>
		);
		return stopped ? <Focused key={title}>{notice}</Focused> : notice;
	});
}
