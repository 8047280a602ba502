import { useFetcher } from "react-router";
import { button } from "../../ui/button.tsx";
import type { Unsent } from "../shell/keep-page.ts";

/** « Approuver », for what another person asked for; its author may only withdraw it. */
export function ApproveForm({ actKey, isMine = false }: { actKey: string; isMine?: boolean }) {
	const fetcher = useFetcher<{ text: string; unsent?: Unsent }>();
	const answer = fetcher.state === "idle" ? fetcher.data : undefined;
	if (answer && !answer.unsent) return <p role="status">{answer.text}</p>;
	return (
		<fetcher.Form method="post" className="flex flex-wrap gap-3">
			{answer?.unsent && (
				<p role="status" className="w-full">
					{answer.text}
				</p>
			)}
			<input type="hidden" name="key" value={actKey} />
			{!isMine && (
				<button type="submit" name="do" value="approve" className={button("secondary")}>
					Approuver
				</button>
			)}
			<button type="submit" name="do" value="undo" className={button("quiet")}>
				{isMine ? "Retirer ma demande" : "Refuser"}
			</button>
		</fetcher.Form>
	);
}
