import type { ShopProcess } from "../../../test/shop-process.ts";
import type { Table } from "../bench.ts";
import { formatFigure, mean } from "../percentiles.ts";

interface Sample {
	orders: number;
	megabytes: number[];
	/** Milliseconds of all threads since each process began. */
	cpu: number[];
}

/** From this number of orders on, memory should not grow: everything is loaded and compiled. */
const warmAfter = 5000;

/** Samples CPU and memory of several processes while orders are placed. */
export function watchProcesses(processes: readonly ShopProcess[]) {
	const samples: Sample[] = [];
	let last = Promise.resolve();
	return {
		/** Samples are taken one after the other: answers of a process carry no number that would tell them apart. */
		sample(orders: number): Promise<void> {
			last = last.then(async () => {
				const usages = await Promise.all(processes.map((process) => process.usage()));
				samples.push({ orders, megabytes: usages.map(({ resident }) => resident / 2 ** 20), cpu: usages.map(({ cpu }) => cpu) });
			});
			return last;
		},
		/** Growth is measured from the first 5 000 orders on, or from the middle of a shorter run. */
		table(): Table {
			const total = samples.at(-1)?.orders ?? 0;
			const late = samples.filter(({ orders }) => orders >= (total > 2 * warmAfter ? warmAfter : total / 2));
			const from = late[0]?.orders;
			return {
				title: "CPU and resident memory of the shop’s processes",
				columns: [
					...["process", "CPU per order, all orders", "at first", `after ${from} orders`, `after ${total} orders`],
					`growth from ${from} on, per 1 000 orders`,
				],
				rows: processes.map(({ role }, index) => {
					const memory = (sample: Sample | undefined) => `${formatFigure(sample?.megabytes[index] ?? 0)} MB`;
					const cpu = ((samples.at(-1)?.cpu[index] ?? 0) - (samples[0]?.cpu[index] ?? 0)) / total;
					return [
						...[`${role} ${index + 1}`, `${formatFigure(cpu)} ms`, memory(samples[0]), memory(late[0]), memory(late.at(-1))],
						`${growth(late, index).toFixed(2)} MB`,
					];
				}),
			};
		},
	};
}

/** Least squares: megabytes per 1 000 orders. */
function growth(samples: readonly Sample[], index: number): number {
	const x = samples.map(({ orders }) => orders / 1000);
	const y = samples.map(({ megabytes }) => megabytes[index] ?? 0);
	const [mx, my] = [mean(x), mean(y)];
	const variance = x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
	return variance === 0 ? 0 : x.reduce((sum, value, at) => sum + (value - mx) * ((y[at] ?? 0) - my), 0) / variance;
}
