import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

export interface Load {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of the program that answers, for each answer: where `loadInTurn` knows it. */
  processorMs?: number;
}

const program = path.join(import.meta.dirname, "http-load.ts");

/** Puts load on an address from a process of its own. */
export async function measureLoad(load: {
  url: string;
  seconds: number;
  connections: number;
  cookie?: string;
  perSecond?: number;
}): Promise<Load> {
  const args = Object.entries(load).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args]);
  const { wrong, ...measured } = JSON.parse(stdout) as Load & { wrong: number };
  if (wrong > 0) throw new Error(`${wrong} answers of ${load.url} were not 200`);
  return measured;
}
