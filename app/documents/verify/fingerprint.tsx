/** A SHA-256 in groups of eight digits. The gaps are margins, so that copied text has no spaces. */
export function Fingerprint({ sha256 }: { sha256: string }) {
	return (
		<code className="text-sm">
			{sha256.match(/.{1,8}/g)?.map((group, index) => (
				// groups may be equal, so only the index distinguishes them
				// biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
				<span key={index}>
					<span className="mr-[0.6em]">{group}</span>
					<wbr />
				</span>
			))}
		</code>
	);
}
