import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../database.ts";
import { type MeasuredServer, programArguments, startMeasured } from "../measured-server.ts";

const bareHttp = new URL("../bare-http.ts", import.meta.url);

/** A server that answers every request with one text, as HTML. */
export function startBarePage(undo: AsyncDisposableStack, html: string): Promise<MeasuredServer> {
	const file = join(temporaryFolder(undo), "page.html");
	writeFileSync(file, html);
	return startMeasured(undo, { args: programArguments(bareHttp), readyPath: "/", environment: { PAGE: file } });
}
