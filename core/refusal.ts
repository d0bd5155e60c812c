/**
 * A request the business declines. Thrown, so that the surrounding database transaction rolls back.
 * The page turns the code into a field error or a toast.
 */
export class Refusal extends Error {
  /** `room/reason`, for instance `deposits/already-reviewed`. */
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.name = "Refusal";
    this.code = code;
  }
}
