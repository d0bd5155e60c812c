import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const place = path.resolve(import.meta.dirname, "../lighthouse");
const program = path.join(place, "node_modules", "lighthouse", "cli", "index.js");
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
const flags = "--headless=new --no-sandbox --disable-gpu --no-first-run";

export type Category = (typeof categories)[number];

export interface Audit {
  scores: Record<Category, number>;
  lcpMs: number;
  fcpMs: number;
  tbtMs: number;
  cls: number;
  /** Bytes of script and of style, as they came over the line. */
  scriptBytes: number;
  styleBytes: number;
  /** What cost points, apart from performance. */
  complaints: string[];
}

/** Lighthouse is no dependency of the product: it is installed beside the benches when one asks for it. */
export function installLighthouse(): boolean {
  if (existsSync(program)) return true;
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  spawnSync("npm", args, { cwd: place, stdio: ["ignore", "ignore", "inherit"], shell: true });
  return existsSync(program);
}

/** One run of Lighthouse with its mobile preset, in a process and a browser of its own. */
export async function runLighthouse(url: string, browser: string): Promise<Audit> {
  const args = [program, url, "--output=json", "--quiet", `--chrome-flags=${flags}`];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, CHROME_PATH: browser },
  });
  return read(JSON.parse(stdout) as Report);
}

interface Report {
  runtimeError?: { message: string };
  categories: Record<
    string,
    { score: number | null; auditRefs: Array<{ id: string; weight: number }> }
  >;
  audits: Record<
    string,
    {
      title: string;
      score: number | null;
      numericValue?: number;
      details?: { items?: Array<Record<string, unknown>> };
    }
  >;
}

function read(report: Report): Audit {
  if (report.runtimeError) throw new Error(report.runtimeError.message);
  const value = (id: string) => report.audits[id]?.numericValue ?? Number.NaN;
  const score = (id: string) => Math.round((report.categories[id]?.score ?? 0) * 100);
  return {
    scores: Object.fromEntries(categories.map((id) => [id, score(id)])) as Record<Category, number>,
    lcpMs: value("largest-contentful-paint"),
    fcpMs: value("first-contentful-paint"),
    tbtMs: value("total-blocking-time"),
    cls: value("cumulative-layout-shift"),
    scriptBytes: bytesOf(report, "Script"),
    styleBytes: bytesOf(report, "Stylesheet"),
    complaints: complaintsOf(report),
  };
}

function bytesOf(report: Report, type: string): number {
  const requests = report.audits["network-requests"]?.details?.items ?? [];
  return requests
    .filter(({ resourceType }) => resourceType === type)
    .reduce((sum, { transferSize }) => sum + Number(transferSize), 0);
}

function complaintsOf(report: Report): string[] {
  return categories
    .filter((id) => id !== "performance")
    .flatMap((id) => report.categories[id]?.auditRefs ?? [])
    .filter(({ weight }) => weight > 0)
    .map(({ id }) => report.audits[id])
    .filter((audit) => audit && audit.score !== null && audit.score < 1)
    .map((audit) => audit?.title ?? "");
}
