/**
 * Lets React go on in a page that others change: translations, password managers, blockers. React removes a node, or inserts one before
 * it, where it left it, and ends the page with an error if the node is elsewhere (github.com/facebook/react/issues/11538). From now on
 * the node is removed where it is, and its translation with it; a text that changes takes the place of its translation.
 */
export function tolerateForeignChanges(): void {
	/** What others put in the place of a node: a translation in the place of a text. */
	const standIns = new WeakMap<Node, ChildNode>();
	/** The node that shows a node of React: itself, or what others put in its place. */
	const getShown = (node: Node) => (node.parentNode ? node : (standIns.get(node) ?? node)) as ChildNode;
	const { insertBefore } = Node.prototype;
	Node.prototype.removeChild = (child) => {
		getShown(child).remove();
		return child;
	};
	Node.prototype.insertBefore = function (node, before) {
		let next: Node | null = before && getShown(before);
		while (next && next.parentNode !== this) next = next.parentNode;
		insertBefore.call(this, node, next);
		return node;
	};
	const watcher = new MutationObserver((records) => {
		const added = new Set(records.flatMap((record) => [...record.addedNodes]));
		for (const { type, target, removedNodes, previousSibling, nextSibling } of records) {
			if (type === "characterData") standIns.get(target)?.replaceWith(target);
			const around = [previousSibling, nextSibling, previousSibling ? previousSibling.nextSibling : target.firstChild];
			const standIn = around.find((node) => node && added.has(node));
			for (const node of removedNodes) {
				if (node.parentNode || !standIn) continue;
				standIns.set(node, standIn as ChildNode);
				// React goes on to change the text that nobody sees
				watcher.observe(node, { characterData: true });
			}
		}
	});
	watcher.observe(document, { childList: true, subtree: true });
}
