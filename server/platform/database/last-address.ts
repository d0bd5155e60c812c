import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const fileIn = (dataDir: string) => path.join(dataDir, "last-address");

/** Leaves the address that customers see for commands run beside the product, whose environment may lack it. */
export function rememberAddress(dataDir: string, appUrl: string): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(fileIn(dataDir), `${appUrl}\n`);
}

/** The address under which the product last ran on this data directory, or null. */
export function findLastAddress(dataDir: string): string | null {
  const file = fileIn(dataDir);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}
