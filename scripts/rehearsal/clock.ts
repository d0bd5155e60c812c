import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

const fileIn = (dataDir: string) => path.join(dataDir, "clock");

/** Whether a data directory is a rehearsal's. */
export function hasRehearsalClock(dataDir: string): boolean {
  return existsSync(fileIn(dataDir));
}

/** How many days the rehearsal's clock is ahead of the machine's. */
export function readDaysAhead(dataDir: string): number {
  if (!hasRehearsalClock(dataDir)) return 0;
  return Number(/^\+(\d{1,4})d$/.exec(readFileSync(fileIn(dataDir), "utf8").trim())?.[1] ?? 0);
}

/** Sets the clock of every process that was started with it, all at the same moment. */
export function setDaysAhead(dataDir: string, days: number): void {
  mkdirSync(dataDir, { recursive: true });
  const aside = `${fileIn(dataDir)}-new`;
  writeFileSync(aside, `+${days}d\n`);
  renameSync(aside, fileIn(dataDir));
}

/** What a process is started with to go by the rehearsal's clock. Timers go by the machine's. */
export function clockEnvironment(dataDir: string, library: string): Record<string, string> {
  return {
    ...fakeClock(library),
    FAKETIME_TIMESTAMP_FILE: path.resolve(fileIn(dataDir)),
    FAKETIME_NO_CACHE: "1",
  };
}

/** Loads libfaketime, which FAKETIME or a file tells by how much the clock is off. */
export function fakeClock(library: string): Record<string, string> {
  return {
    LD_PRELOAD: library,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    FAKETIME_DISABLE_SHM: "1",
  };
}
