import { useLocation } from "react-router";
import { useLastAnswer } from "../shell/use-last-answer.ts";
import type { ActOutcome } from "./act.ts";
import { ActMessage } from "./act-form.tsx";

/** What became of an act that was sent without JavaScript, above the page; also once the page is read again. */
export function PostedAnswer({ posted }: { posted: ActOutcome | null }) {
	return <LastOutcome key={useLocation().key} posted={posted ?? undefined} />;
}

function LastOutcome({ posted }: { posted: ActOutcome | undefined }) {
	const outcome = useLastAnswer(posted);
	if (outcome === undefined) return null;
	return (
		<div className="mx-auto mb-5 max-w-page">
			<ActMessage outcome={outcome} />
		</div>
	);
}
