import { DescriptionList } from "../../ui/description-list.tsx";

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
