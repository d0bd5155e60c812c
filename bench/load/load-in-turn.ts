import { type Load, measureLoad } from "./measure-load.ts";
import { median } from "./median.ts";
import { processorTime } from "./processor-time.ts";
import { printTable } from "./table.ts";

export interface LoadPlan {
  rounds: number;
  seconds: number;
  connections: number;
}

export interface Contender {
  name: string;
  url: string;
  cookie?: string;
  /** Of the program that answers: then what it uses of a processor is counted. */
  pid?: number;
}

/** So long each is asked before it counts, until Node has compiled what is often run. */
const warmUpSeconds = 4;

/** Round after round, so that whatever else the machine does falls on all alike. */
export async function loadInTurn(
  contenders: Contender[],
  { rounds, seconds, connections }: LoadPlan,
): Promise<Map<string, Load[]>> {
  const loads = new Map<string, Load[]>(contenders.map(({ name }) => [name, []]));
  for (const { name: _, pid: __, ...place } of contenders) {
    await measureLoad({ ...place, seconds: warmUpSeconds, connections });
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, pid, ...place } of contenders) {
      const before = pid && processorTime(pid);
      const load = await measureLoad({ ...place, seconds, connections });
      const used = pid && before && processorTime(pid) - before;
      loads.get(name)?.push({
        ...load,
        ...(used && { processorMs: (used * 1000) / (load.perSecond * seconds) }),
      });
    }
    process.stderr.write(`load: round ${round} of ${rounds} done\n`);
  }
  return loads;
}

/** Prints the medians; gives how a contender's rate stands to that of the one beside it. */
export function reportLoads(loads: Map<string, Load[]>, beside: string): (name: string) => number {
  const rate = (name: string) => middleOf(loads.get(name) ?? [], ({ perSecond }) => perSecond);
  const ratio = (name: string) => rate(name) / rate(beside);
  printTable(
    ["", "per second", "x", "p50 ms", "p99 ms"],
    [...loads].map(([name, measured]) => [
      name,
      Math.round(rate(name)).toLocaleString("en"),
      ratio(name).toFixed(2),
      middleOf(measured, ({ p50Ms }) => p50Ms).toFixed(1),
      middleOf(measured, ({ p99Ms }) => p99Ms).toFixed(1),
    ]),
  );
  console.log();
  return ratio;
}

export function middleOf(loads: Load[], value: (load: Load) => number): number {
  return median(loads.map(value));
}

export function asked({ rounds, connections }: LoadPlan): string {
  return `${connections} connections kept alive, medians of ${rounds} interleaved rounds.`;
}
