/** Whether what a source says about a chain can be used. Money is credited while it is `following`, and at no other time. */
export const sourceHealths = [
  "following",
  "catching-up",
  "unreachable",
  "unauthorized",
  "warming-up",
  "syncing",
  "stale",
  "behind",
  "pruned",
  "another-chain",
  "lying",
  "reorg-too-deep",
  "not-finalizing",
  "wrong-token",
  "no-traces",
  "foreign-address",
] as const;
export type SourceHealth = (typeof sourceHealths)[number];

/** Something that keeps us from using what a source says. The detail is for staff, and holds no password. */
export class SourceIncident extends Error {
  override name = "SourceIncident";
  readonly health: Exclude<SourceHealth, "following" | "catching-up">;

  constructor(health: SourceIncident["health"], detail: string, options?: ErrorOptions) {
    super(detail.slice(0, 300), options);
    this.health = health;
  }
}
