import { useRef, useState } from "react";

/** The last chosen file with its result; null while it is computed. */
export interface CheckedFile<Result> {
	name: string;
	result: Result | null;
}

/** Checks files one after the other. A result that arrives after another file was chosen is ignored. */
export function useFileResult<Result>(check: (file: File) => Promise<Result>) {
	const [checkedFile, setCheckedFile] = useState<CheckedFile<Result> | null>(null);
	const latest = useRef<File>(null);
	async function checkFile(file: File) {
		latest.current = file;
		setCheckedFile({ name: file.name, result: null });
		const result = await check(file);
		if (latest.current === file) setCheckedFile({ name: file.name, result });
	}
	return [checkedFile, checkFile] as const;
}
