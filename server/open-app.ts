import type { App } from "./app-context.ts";
import { checkBreachedPasswords } from "./identity/passwords/breached-passwords.ts";
import { createAuth } from "./identity/sessions/auth.ts";
import type { Config } from "./platform/config.ts";
import { openDatabase } from "./platform/database.ts";
import { openFileStore } from "./platform/files/open-file-store.ts";
import { openVirusScan } from "./platform/files/virus-scan.ts";
import { openRequestMetrics } from "./platform/http/request-metrics.ts";
import { openIpCountry } from "./platform/ip-country.ts";
import type { Log } from "./platform/log/log.ts";

/** Puts the product's parts together on a database that is already migrated. */
export function openApp(
  config: Config,
  log: Log,
  applicationUrl: string,
  opened: Parameters<typeof openDatabase>[2] = {},
): App {
  const ipCountry = openIpCountry(config.geoip);
  checkBreachedPasswords(config.breachedPasswordsFile);
  const db = openDatabase(applicationUrl, log, opened);
  return {
    config,
    db,
    log,
    files: openFileStore(config, log),
    scanForViruses: openVirusScan(config.clamd, log),
    ipCountry,
    auth: createAuth(config),
    metrics: config.metrics ? openRequestMetrics({ db, log }) : null,
    rehearsal: null,
    now: () => new Date(),
  };
}
