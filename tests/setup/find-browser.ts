import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";

/** The shell draws the same pages without a window's own parts, at two thirds of the work. */
const names = [
  "chromium-headless-shell",
  ...["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"],
];

/** An installed Chromium or Chrome, else Playwright's own (an empty object lets it find that). */
export function browserToUse(): { executablePath?: string } {
  const installed = findInstalled();
  return installed ? { executablePath: installed } : {};
}

/** Sees to it that there is a browser: installed, else Playwright's download, else Debian's package. */
export function ensureBrowser(): void {
  if (findInstalled() || existsSync(chromium.executablePath())) return;
  console.log("Getting a browser for the journeys.");
  const attempts: Array<[string, string[]]> = [
    [process.execPath, ["node_modules/@playwright/test/cli.js", "install", "chromium"]],
    ["apt-get", ["update", "-qq"]],
    ["apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium-headless-shell"]],
    ["apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"]],
  ];
  for (const [command, args] of attempts) {
    spawnSync(command, args, { stdio: "ignore", timeout: 300_000 });
    if (findInstalled() || existsSync(chromium.executablePath())) return;
  }
  throw new Error("No browser: install Chromium or Chrome, then run the tests again.");
}

function findInstalled(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  const files = folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
  files.push("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
  return files.find((file) => existsSync(file));
}
