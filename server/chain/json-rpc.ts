import { z } from "#core/zod.ts";
import {
  askOutside,
  type OutsideAnswer,
  OutsideFailure,
  parseOutsideJson,
  type Reviver,
} from "../platform/ask-outside.ts";

/** From the request to the last byte of the answer, where a method says nothing else. */
const answerWithinMs = 30_000;
/** A Bitcoin block as hex is 8 MB at most, the ids of a full mempool about 20 MB, a traced Ethereum block some MB. */
const maxAnswerBytes = 64 * 1024 * 1024;
/** Calls of contracts go 1,024 deep, each in a list of the one above. */
const deepest = 2_200;

/**
 * Why there is no answer: `unreachable` (no connection, or not in time), `unauthorized` (another user or password),
 * `warming-up` (it starts), `refused` (it answered with an error of its own, whose number is `code`), `malformed` (it
 * answered what no such node answers).
 */
export type NodeFailure = "unreachable" | "unauthorized" | "warming-up" | "refused" | "malformed";

/** A node gave no usable answer. The message is short and holds no password. */
export class NodeError extends Error {
  override name = "NodeError";
  readonly failure: NodeFailure;
  /** The node's own number of the error; null unless it is `refused`. */
  readonly code: number | null;

  constructor(failure: NodeFailure, message: string, code: number | null = null) {
    super(message);
    this.failure = failure;
    this.code = code;
  }
}

const answer = z.object({
  result: z.optional(z.unknown()),
  error: z.optional(z.nullable(z.object({ code: z.int(), message: z.string() }))),
});

export type Shape<T> = z.ZodMiniType<T>;

export interface JsonRpcOptions {
  version: "1.0" | "2.0";
  stopping?: AbortSignal | undefined;
  /** Reads the answer's JSON, as for JSON.parse. */
  reviver?: Reviver;
  /** The number of the error that says that the node starts. */
  warmingUp?: number;
}

/** JSON-RPC over HTTP, as nodes of chains speak it. Answers have a size and a time; nothing of the URL is ever repeated. */
export class JsonRpc {
  readonly #url: string;
  readonly #authorization: string | null;
  readonly #options: JsonRpcOptions;

  /** @param url with a user and password in it, where the node asks for them: `http://user:password@127.0.0.1:8332` */
  constructor(url: string, options: JsonRpcOptions) {
    const { username, password, protocol, host, pathname, search } = new URL(url);
    this.#url = `${protocol}//${host}${pathname}${search}`;
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.#authorization = username ? `Basic ${Buffer.from(pair).toString("base64")}` : null;
    this.#options = options;
  }

  /** @throws NodeError */
  async ask<T>(
    method: string,
    params: readonly unknown[],
    shape: Shape<T>,
    withinMs = answerWithinMs,
  ): Promise<T> {
    const body = { jsonrpc: this.#options.version, id: 1, method, params };
    return this.#resultOf(method, await this.#post(body, withinMs), shape);
  }

  /**
   * One request for many calls, answered in their order; a promise of it fails where the call did.
   *
   * @throws NodeError when the whole is not answered
   */
  async askMany<T>(
    calls: ReadonlyArray<readonly [string, readonly unknown[]]>,
    shape: Shape<T>,
  ): Promise<Array<Promise<T>>> {
    if (calls.length === 0) return [];
    const jsonrpc = this.#options.version;
    const body = calls.map(([method, params], id) => ({ jsonrpc, id, method, params }));
    const answers = z
      .array(z.looseObject({ id: z.int() }))
      .safeParse(await this.#post(body, answerWithinMs));
    if (!answers.success) throw new NodeError("malformed", "a batch was not answered as one");
    const byId = new Map(answers.data.map((each) => [each.id, each]));
    return calls.map(async ([method], id) => this.#resultOf(method, byId.get(id), shape));
  }

  async #post(body: unknown, withinMs: number): Promise<unknown> {
    try {
      const response = await askOutside(this.#url, {
        method: "POST",
        withinMs,
        maxBytes: maxAnswerBytes,
        stopping: this.#options.stopping,
        headers: {
          "content-type": "application/json",
          ...(this.#authorization && { authorization: this.#authorization }),
        },
        body: JSON.stringify(body),
      });
      if (response.status === 401 || response.status === 403) {
        throw new NodeError("unauthorized", `answered ${response.status}`);
      }
      return this.#parse(response);
    } catch (error) {
      throw error instanceof OutsideFailure ? asNodeError(error) : error;
    }
  }

  #parse({ bytes, ok, status }: OutsideAnswer): unknown {
    try {
      return parseOutsideJson(bytes, { reviver: this.#options.reviver, deepest });
    } catch (error) {
      // Something before the node has answered for it.
      throw ok ? error : new NodeError("unreachable", `answered ${status}`);
    }
  }

  #resultOf<T>(method: string, given: unknown, shape: Shape<T>): T {
    const read = answer.safeParse(given);
    if (!read.success) throw new NodeError("malformed", `${method} answered in an unknown shape`);
    const { error, result } = read.data;
    if (error) {
      const failure = error.code === this.#options.warmingUp ? "warming-up" : "refused";
      throw new NodeError(failure, `${method}: ${error.message.slice(0, 200)}`, error.code);
    }
    const parsed = parseShape(shape, result);
    if (parsed?.success) return parsed.data;
    const where = parsed?.error.issues[0]?.path.join(".").slice(0, 60) || "the whole";
    throw new NodeError("malformed", `${method} answered in an unknown shape (at ${where})`);
  }
}

/** Null for what is nested too deep to be looked at. */
function parseShape<T>(shape: Shape<T>, given: unknown) {
  try {
    return shape.safeParse(given);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Null where the node refused with a number that says so. */
export async function orNull<T>(asked: Promise<T>, code: number): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NodeError && error.code === code) return null;
    throw error;
  }
}

function asNodeError({ fault, message }: OutsideFailure): NodeError {
  if (fault === "too-large") return new NodeError("malformed", "answered with more than 64 MB");
  if (fault === "unreadable") return new NodeError("malformed", "answered with no JSON");
  if (fault === "late") return new NodeError("unreachable", "no answer in time");
  if (fault === "stopped") return new NodeError("unreachable", "not waited for");
  return new NodeError("unreachable", message.replace("unreachable", "cannot be reached"));
}
