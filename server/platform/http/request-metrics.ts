import { collectDefaultMetrics, Histogram, Registry } from "prom-client";

/** What one process measured, as it can be sent to another one and added up there. */
export type Measured = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** What a process measures of itself: its requests, its event loop, memory and processor time. */
export interface RequestMetrics {
  /** @param route the pattern of the address, of which there are few */
  count(request: { route: string; method: string; status: number; seconds: number }): void;
  measured(): Promise<Measured>;
}

const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function openRequestMetrics(): RequestMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: "assay_http_request_duration_seconds",
    help: "Requests by route, method and status: how many, and how long each took.",
    labelNames: ["route", "method", "status"],
    buckets,
    registers: [registry],
  });
  return {
    count: ({ route, method, status, seconds }) =>
      durations.observe({ route, method, status: String(status) }, seconds),
    measured: () => registry.getMetricsAsJSON(),
  };
}
