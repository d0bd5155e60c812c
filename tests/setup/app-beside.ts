import type { App } from "../../server/app-context.ts";
import { openApp } from "../../server/open-app.ts";
import { readConfig } from "../../server/platform/config/read-config.ts";
import { findRunningEmbeddedPostgres } from "../../server/platform/database/embedded-postgres.ts";
import { openLog } from "../../server/platform/log/log.ts";
import type { RunningProduct } from "./run-product.ts";

const opened = new Map<string, App>();

/**
 * The parts of a running product once more, on the same database and with the same secrets: what a journey is not
 * about is arranged by the product's own acts, at a tenth of what a browser and its pages take.
 */
export function appBeside({ url, dataDir }: Pick<RunningProduct, "url" | "dataDir">): App {
  const open = opened.get(url);
  if (open) return open;
  const postgres = findRunningEmbeddedPostgres(dataDir);
  if (!postgres) throw new Error(`no product runs on ${dataDir}`);
  const config = readConfig({ ...process.env, DATA_DIR: dataDir, APP_URL: url });
  const app = openApp(config, openLog("silent"), postgres.applicationUrl);
  opened.set(url, app);
  return app;
}
