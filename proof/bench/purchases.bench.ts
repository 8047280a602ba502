import { knownCompanies } from "../../test/known-companies.ts";
import type { Bench, Figure } from "./bench.ts";
import { loadHttp } from "./load.ts";
import { startMeasuredShop } from "./measured-server.ts";
import { formatSpread, percentile } from "./percentiles.ts";

const lines = 200;

export default {
	about: "The form of two hundred orders: lines found by number, and by name",
	async measure({ smoke, server: startServer, undo, progress }) {
		const server = await startServer();
		const connection = await server.createFilled("purchases");
		const shop = await startMeasuredShop(undo, connection);
		const companies = (await knownCompanies(connection)).slice(0, lines);
		const amount = smoke ? 10 : 300;

		/** Sends a list. @returns the path of its form. */
		const sendList = async (list: readonly string[]): Promise<string> => {
			const answer = await fetch(`${shop.url}/commande/plusieurs`, {
				method: "POST",
				body: new URLSearchParams({ entreprises: list.join("\n") }),
				redirect: "manual",
			});
			const path = answer.headers.get("location");
			if (answer.status !== 303 || path === null) throw new Error(`the list was answered with ${answer.status}`);
			return path;
		};
		const measureForm = async (label: string, list: readonly string[], goal: number): Promise<Figure> => {
			progress(label);
			const [path, single] = [await sendList(list), await sendList(list.slice(0, 1))];
			const measure = async (paths: readonly string[]) => {
				await loadHttp({ url: shop.url, paths }, { amount: 10 });
				return (await loadHttp({ url: shop.url, paths }, { amount })).latencies;
			};
			const latencies = await measure([path]);
			return {
				...{ label, unit: "ms", value: percentile(latencies, 0.95), goal },
				details: [formatSpread(latencies, "ms")],
				baseline: { value: percentile(await measure([single]), 0.95), label: "the form of one line, in the same minute", maxRatio: 100 },
			};
		};
		const figures = [
			await measureForm(
				`Form of ${companies.length} lines by SIREN, p95`,
				companies.map(({ siren }) => siren),
				150,
			),
			await measureForm(
				`Form of ${companies.length} lines by name, p95`,
				companies.map(({ name }) => name),
				1000,
			),
		];
		return { setting: [server.setting], figures };
	},
} satisfies Bench;
