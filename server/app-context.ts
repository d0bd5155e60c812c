import { createContext } from "react-router";
import type { Auth } from "./identity/sessions/auth.ts";
import type { Config } from "./platform/config.ts";
import type { Db } from "./platform/database.ts";
import type { FileStore } from "./platform/files/file-store.ts";
import type { VirusScan } from "./platform/files/virus-scan.ts";
import type { RequestMetrics } from "./platform/http/request-metrics.ts";
import type { IpCountry } from "./platform/ip-country.ts";
import type { Log } from "./platform/log/log.ts";
import type { Rehearsal } from "./rehearsal.ts";

/** Everything that a page or a job may be given. Built once, at boot. */
export interface App {
  config: Config;
  db: Db;
  log: Log;
  files: FileStore;
  /** What every upload is asked of before it is kept. */
  scanForViruses: VirusScan;
  ipCountry: IpCountry;
  auth: Auth;
  /** Null: nothing is measured. */
  metrics: RequestMetrics | null;
  /** Null, but where a business is tried out: `npm run rehearse`. */
  rehearsal: Rehearsal | null;
  /** The clock. Only loaders, actions and jobs read it; acts are given the moment. */
  now(): Date;
}

/** The running product, for loaders and actions: `context.get(appContext)`. */
export const appContext = createContext<App>();

/** What is known of a request before anybody has read it. */
export interface RequestFacts {
  requestId: string;
  /** The client's address as far as configured proxies vouch for it. */
  clientAddress: string;
  /** The nonce of this answer's Content-Security-Policy. */
  nonce: string;
  /** Why a page failed, where that is not our fault: the database is away (503), or what was sent is no text (400). */
  failure: 400 | 503 | null;
  /** Whether this process has seen no session of the sender lately: their page is rendered after those of others. */
  isStranger?: boolean;
  /** With what a file was refused to who now reads the page that says so: server/refused-file-page.ts. */
  refused?: { status: number; data: unknown };
}

export const requestContext = createContext<RequestFacts>();
