import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Db } from "../database.ts";
import type { Log } from "../log/log.ts";

/** What one process measured, as it can be sent to another one and added up there. */
export type Measured = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

interface CountedRequest {
  /** The pattern of the address, of which there are few. */
  route: string;
  method: string;
  status: number;
  /** Whether it was answered from memory. */
  kept: boolean;
  seconds: number;
}

/** What a process measures of itself: its requests, connections, event loop, memory and processor time. */
export interface RequestMetrics {
  count(request: CountedRequest): void;
  measured(): Promise<Measured>;
}

const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** More than there are: what somebody might make up beyond that is one. */
const mostRoutes = 400;

export function openRequestMetrics({ db, log }: { db: Db; log: Log }): RequestMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: "assay_http_request_duration_seconds",
    help: "Requests by route, method and status, and whether they were answered from memory.",
    labelNames: ["route", "method", "status", "kept"],
    buckets,
    registers,
  });
  new Gauge({
    name: "assay_database_connections",
    help: "Connections to the database: total, idle, and requests or jobs that wait for one.",
    labelNames: ["state"],
    registers,
    collect() {
      const { totalCount: total, idleCount: idle, waitingCount: waiting } = db.$client;
      for (const [state, count] of Object.entries({ total, idle, waiting }))
        this.set({ state }, count);
    },
  });
  new Gauge({
    name: "assay_log_dropped_lines",
    help: "Lines of the log that could not be written since the start.",
    registers,
    collect() {
      this.set(log.lost().lines);
    },
  });
  const routes = new Set<string>();
  return {
    count({ route, method, status, kept, seconds }) {
      if (routes.size < mostRoutes) routes.add(route);
      const labels = { method, status: String(status), kept: kept ? "yes" : "no" };
      durations.observe({ route: routes.has(route) ? route : "(other)", ...labels }, seconds);
    },
    measured: () => registry.getMetricsAsJSON(),
  };
}
