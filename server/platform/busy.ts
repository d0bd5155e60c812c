import { Refusal } from "#core/refusal.ts";

/** Too much is asked of the whole site at the moment. Nothing was looked at, and nobody is blamed. */
export class Busy extends Refusal {
  override name = "Busy";
  /** When another try is worth it, which may bring what a busy site asks for. */
  readonly retryAfterSeconds: number;
  /** When the limit of the whole site ends that was met; null: it was a waiting room that was full. */
  readonly until: Date | null;

  constructor(retryAfterSeconds: number, until: Date | null = null) {
    super("platform/busy");
    this.retryAfterSeconds = retryAfterSeconds;
    this.until = until;
  }
}
