import { Refusal } from "#core/refusal.ts";

/** Too much is asked of the whole site at the moment. Nothing was looked at, and nobody is blamed. */
export class Busy extends Refusal {
  override name = "Busy";
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super("platform/busy");
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
