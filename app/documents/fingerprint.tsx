/** A SHA-256 in groups of eight, by style alone: a copy of it is in one piece. */
export function Fingerprint({ sha256 }: { sha256: string }) {
	return (
		<code className="text-sm">
			{sha256.match(/.{1,8}/g)?.map((group, index) => (
				// its place is all that tells a group from another
				// biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
				<span key={index}>
					<span className="mr-[0.6em]">{group}</span>
					<wbr />
				</span>
			))}
		</code>
	);
}
