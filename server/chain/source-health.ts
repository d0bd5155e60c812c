import type { SourceHealth } from "#core/payments/source-health.ts";

/** Something that keeps us from using what a source says. The detail is for staff, and holds no password. */
export class SourceIncident extends Error {
  override name = "SourceIncident";
  readonly health: Exclude<SourceHealth, "following" | "catching-up">;

  constructor(health: SourceIncident["health"], detail: string, options?: ErrorOptions) {
    super(detail.slice(0, 300), options);
    this.health = health;
  }
}
