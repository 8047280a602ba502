import type { Bench, BenchOptions } from "./bench.ts";
import { addressOf, temporaryFolder } from "./database.ts";
import { shopArguments, startMeasured } from "./measured-server.ts";
import { seededRandom } from "./random.ts";
import { learnThings } from "./requests/known-things.ts";
import { canary, injectedHeader, type RandomRequest, randomRequest } from "./requests/random-request.ts";
import { type RawAnswer, sendRaw } from "./requests/send-raw.ts";

const atOnce = 16;

export default {
	about: "Random requests at every address: none is a fault, none brings back what it sent",
	options: { requests: { type: "string" }, seed: { type: "string" } },
	longest: () => 1_800_000,
	strict: true,
	async measure({ smoke, asked, server: startServer, undo, progress }: BenchOptions) {
		const requests = Number(asked.requests ?? (smoke ? 2000 : 40_000));
		const seed = Number(asked.seed ?? 20261122);
		progress(`a shop; seed ${seed}`);
		const server = await startServer();
		const connection = await server.createFilled("shop");
		const shop = await startMeasured(undo, {
			args: shopArguments(),
			readyPath: "/readyz",
			environment: { DATABASE_URL: addressOf(connection), DATA_DIR: temporaryFolder(undo), LOG_LEVEL: "error" },
		});
		const known = await learnThings(shop.url);
		const port = Number(new URL(shop.url).port);

		progress(`${requests} requests`);
		const started = performance.now();
		const statuses = new Map<number, number>();
		const faults: string[] = [];
		let next = 0;
		const sendAll = async () => {
			while (next < requests) {
				const number = next++;
				// each request is made from its own number: the same one again needs none of the others
				const request = randomRequest(seededRandom(seed * 1_000_003 + number), known);
				const answer = await sendRaw(port, request.bytes, request.cut);
				statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
				const wrong = wrongWith(request, answer);
				if (wrong)
					faults.push(`${wrong}: request ${number} of seed ${seed}\n    ${JSON.stringify(request.bytes.toString().slice(0, 600))}`);
				if (number % 5000 === 4999) progress(`${number + 1} requests`);
			}
		};
		await Promise.all(Array.from({ length: atOnce }, sendAll));
		const seconds = (performance.now() - started) / 1000;
		const lives = await fetch(`${shop.url}/healthz`).then(
			({ status }) => status === 200,
			() => false,
		);
		if (!lives) faults.push("the shop no longer answers");
		return {
			options: `--requests ${requests} --seed ${seed}`,
			setting: [server.setting, `${requests} requests over all routes by ${atOnce} connections at a time, seed ${seed}; no limits`],
			figures: [
				{
					what: "Faults",
					unit: "" as const,
					value: faults.length,
					goal: 0,
					details: [`${requests} requests in ${seconds.toFixed(0)} s, ${Math.round(requests / seconds)} a second`],
				},
			],
			tables: [
				{
					title: "Answers",
					columns: ["status", "count"],
					rows: [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => [status === 0 ? "none" : `${status}`, `${count}`]),
				},
			],
			broken: faults.slice(0, 50),
		};
	},
} satisfies Bench;

/** What an answer must not be, or hold; undefined when nothing is wrong. */
function wrongWith({ cut }: RandomRequest, { status, head, body }: RawAnswer): string | undefined {
	if (status >= 500) return `status ${status}`;
	if (status === 0 && !cut) return "no answer";
	if (new RegExp(`^${injectedHeader}:`, "im").test(head)) return "a header of the sender's";
	// a page; JSON and data of pages are never read as markup (nosniff)
	if (/^content-type: text\/html/im.test(head) && body.includes(canary)) return "markup of the sender's";
	if (/\n\s+at \S+ \(|node_modules|file:\/\/\//.test(body)) return "a stack trace";
}
