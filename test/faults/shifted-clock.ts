/** Loaded before a process of the shop: its clock jumps by the milliseconds that it is told. `performance.now` goes on, as a machine's own does. */

const RealDate = Date;
let shift = 0;

class ShiftedDate extends RealDate {
	constructor(...given: unknown[]) {
		super(...((given.length === 0 ? [RealDate.now() + shift] : given) as [number]));
	}
	static override now(): number {
		return RealDate.now() + shift;
	}
	static override [Symbol.hasInstance](value: unknown): boolean {
		return Object.prototype.toString.call(value) === "[object Date]";
	}
}

globalThis.Date = ShiftedDate as DateConstructor;
process.on("message", (told) => {
	if (typeof told === "object" && told !== null && "clock" in told) shift = Number(told.clock);
});
