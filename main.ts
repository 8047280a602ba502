// Starts the shop: environment → database → jobs → web.
// `main.ts web`, `main.ts jobs` and `main.ts migrate` do one part each, for several machines. `main.ts doctor` checks everything and
// changes nothing. `main.ts orders …`, `newsletter …` and `companies:…` are the operator's commands. All of them also work while the shop runs.
import "./server/start/choose-react-build.ts";
import { runProgram } from "./app/run-program.ts";

/** The build has no types. */
const bundle: string = "./build/server/index.js";
await runProgram(process.argv.slice(2), () => import(bundle));
