/** Whether what a source says about a chain can be used. Money is credited while it is `following`, and at no other time. */
export const sourceConditions = [
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
export type SourceCondition = (typeof sourceConditions)[number];

/** Something that keeps us from using what a source says. The detail is for staff, and holds no password. */
export class SourceTrouble extends Error {
  override name = "SourceTrouble";
  readonly condition: SourceCondition;

  constructor(condition: Exclude<SourceCondition, "following" | "catching-up">, detail: string) {
    super(detail.slice(0, 300));
    this.condition = condition;
  }
}
