import { useContext } from "react";
import { UNSAFE_DataRouterDataContext as RouterDataContext, useLocation } from "react-router";
import { useLastAnswer } from "../shell/use-last-answer.ts";
import type { ActOutcome } from "./act.ts";
import { ActMessage } from "./act-form.tsx";

/**
 * What became of an act that was sent without JavaScript, above the page: the act may have taken its own form away. The frame of the desk
 * shows it for every page, and only the router has the answers of all routes.
 */
export function PostedAnswer() {
	const answers = Object.values(useContext(RouterDataContext)?.actionData ?? {});
	return <LastOutcome key={useLocation().key} posted={answers.find(isOutcome)} />;
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

const isOutcome = (answer: unknown): answer is ActOutcome =>
	typeof answer === "object" && answer !== null && "act" in answer && "state" in answer && "text" in answer;
