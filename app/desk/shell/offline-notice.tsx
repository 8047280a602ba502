import { Notice } from "../../ui/notice.tsx";

/** Says that a page waits for the network. */
export function OfflineNotice() {
	return (
		<Notice kind="warning" live>
			<p>Pas de réseau. La page demandée s’ouvre dès qu’il revient&nbsp;; celle-ci reste telle quelle.</p>
		</Notice>
	);
}
