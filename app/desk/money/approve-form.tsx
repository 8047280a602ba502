import { useFetcher } from "react-router";
import { button } from "../../ui/button.tsx";

/** « Approuver », for what another person asked for. */
export function ApproveForm({ actKey }: { actKey: string }) {
	const fetcher = useFetcher<{ text: string }>();
	if (fetcher.data && fetcher.state === "idle") return <p role="status">{fetcher.data.text}</p>;
	return (
		<fetcher.Form method="post" className="flex flex-wrap gap-3">
			<input type="hidden" name="key" value={actKey} />
			<button type="submit" name="do" value="approve" className={button("secondary")}>
				Approuver
			</button>
			<button type="submit" name="do" value="undo" className={button("quiet")}>
				Refuser
			</button>
		</fetcher.Form>
	);
}
