import { DescriptionList } from "../../ui/description-list.tsx";

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

const commands = [
	["Windows (PowerShell)", "Get-FileHash document.pdf"],
	["macOS", "shasum -a 256 document.pdf"],
	["Linux", "sha256sum document.pdf"],
] as const;

/** The commands that compute the fingerprint of a file. */
export function FingerprintCommands({ className }: { className?: string }) {
	return (
		<DescriptionList
			className={className}
			rows={commands.map(([system, command]) => [system, <code key={system}>{command}</code>] as const)}
		/>
	);
}
