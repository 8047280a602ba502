import type { Table } from "../bench.ts";
import { figure } from "../percentiles.ts";
import type { ShopProcess } from "../shop-process.ts";

interface Sample {
	orders: number;
	megabytes: number[];
	/** Milliseconds of all threads since each process began. */
	cpu: number[];
}

/** From here on memory should be flat: what is loaded once is loaded, what is compiled is compiled. */
const settledAfter = 5000;

/** Notes what several processes use as orders go by. */
export function watchProcesses(processes: readonly ShopProcess[]) {
	const samples: Sample[] = [];
	let underWay = Promise.resolve();
	return {
		/** One after another: an answer is told from the next by nothing else. */
		sample(orders: number): Promise<void> {
			underWay = underWay.then(async () => {
				const usages = await Promise.all(processes.map((process) => process.usage()));
				samples.push({ orders, megabytes: usages.map(({ resident }) => resident / 2 ** 20), cpu: usages.map(({ cpu }) => cpu) });
			});
			return underWay;
		},
		/** The growth of memory from the first 5 000 orders on, or from the middle of a shorter run. */
		table(): Table {
			const last = samples.at(-1)?.orders ?? 0;
			const from = last > 2 * settledAfter ? settledAfter : last / 2;
			const late = samples.filter(({ orders }) => orders >= from);
			return {
				title: "What the shop’s processes use: CPU, and resident memory",
				columns: [
					"process",
					"CPU per order of all",
					"at first",
					`after ${late[0]?.orders} orders`,
					`after ${last} orders`,
					"growth since, per 1 000 orders",
				],
				rows: processes.map(({ role }, index) => {
					const at = (sample: Sample | undefined) => `${figure(sample?.megabytes[index] ?? 0)} MB`;
					const cpu = ((samples.at(-1)?.cpu[index] ?? 0) - (samples[0]?.cpu[index] ?? 0)) / last;
					return [
						`${role} ${index + 1}`,
						`${figure(cpu)} ms`,
						at(samples[0]),
						at(late[0]),
						at(late.at(-1)),
						`${slope(late, index).toFixed(2)} MB`,
					];
				}),
			};
		},
	};
}

/** Least squares: megabytes per 1 000 orders. */
function slope(samples: readonly Sample[], index: number): number {
	const x = samples.map(({ orders }) => orders / 1000);
	const y = samples.map(({ megabytes }) => megabytes[index] ?? 0);
	const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const [mx, my] = [mean(x), mean(y)];
	const spread = x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
	return spread === 0 ? 0 : x.reduce((sum, value, at) => sum + (value - mx) * ((y[at] ?? 0) - my), 0) / spread;
}
