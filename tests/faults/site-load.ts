import { randomInt, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { maxWaitingClaims } from "../../core/payments/deposit.ts";
import type { App } from "../../server/app-context.ts";
import { createTestCustomer } from "../factories/customer.ts";
import { uniquePicture } from "../factories/deposit.ts";
import { createTestPrice } from "../factories/market.ts";
import { letWithdraw, someAddress } from "../factories/withdrawal.ts";
import { signInAs } from "../setup/sign-in-as.ts";
import { patienceMs } from "../setup/slowness.ts";

/** Low enough that nobody comes to the limit of who is not verified. */
const usdE8 = 100_000_000_000n;

/** A form that was sent until it was answered. */
interface Acknowledged {
  what: "withdrawal" | "slip";
  customerId: string;
  /** Minted with the form. */
  key: string;
  /** Of a withdrawal. */
  sats: bigint;
}

/** The scripts that a page names. */
export const scriptsOf = /\/assets\/[\w.~-]+\.js/g;

export interface SiteLoad {
  acknowledged: Acknowledged[];
  /** Answers that were none: how often, by what came instead. */
  failed: Map<string, number>;
  /** What was answered, and wrongly. */
  faults: string[];
  /** Longest that one form, or one page, had to be asked for until it was answered. */
  longestMs: number;
  /** After the forms that are under way are answered. */
  stop(): Promise<void>;
}

interface Visitor {
  id: string;
  addressId: string;
  cookie: string;
  forms: number;
}

/** Customers who may withdraw, signed in. */
export async function createVisitors(app: App, many: number): Promise<Visitor[]> {
  const now = app.now();
  await setPrice(app);
  const visitors: Visitor[] = [];
  for (let nth = 0; nth < many; nth += 1) {
    const customer = await createTestCustomer(app.db, {
      now: new Date(now.getTime() - 5 * 86_400_000),
    });
    const { id } = customer;
    // Before the second factor comes that a withdrawal needs.
    const clientAddress = `10.${nth >> 8}.${nth % 256}.1`;
    const cookie = await signInAs({ app }, customer, { clientAddress, userAgent: "test" });
    const wanted = { units: 100_000_000n, address: someAddress(), now };
    visitors.push({ id, cookie, forms: 0, ...(await letWithdraw(app.db, id, wanted)) });
  }
  return visitors;
}

/** Nobody is asked for prices, and one is fresh for some minutes. */
function setPrice({ db, now }: App): Promise<string> {
  return createTestPrice(db, { asset: "BTC", usdE8, observedAt: now() });
}

/**
 * So many of these people at once, and others after them, who read their dashboard, withdraw and hand in payment slips, as browsers do. What is not
 * answered, or with an error, is sent again as it was, as their owners would.
 */
export function loadSite(app: App, visitors: Visitor[], atOnce: number): SiteLoad {
  const load: Omit<SiteLoad, "stop"> = {
    acknowledged: [],
    failed: new Map(),
    faults: [],
    longestMs: 0,
  };
  let isStopped = false;
  const noteFailure = (said: string, tookMs: number) => {
    load.failed.set(said, (load.failed.get(said) ?? 0) + 1);
    // Whoever stops waits for what is under way, and not for ever.
    if (isStopped && tookMs > 2 * patienceMs) throw new Error(`never answered: ${said}`);
  };
  const untilAnswered = async (agent: Agent, asked: Asked) => {
    const began = performance.now();
    for (;;) {
      const answer = await ask(app.config.appUrl, agent, asked);
      const tookMs = performance.now() - began;
      load.longestMs = Math.max(load.longestMs, tookMs);
      if (answer.status > 0 && answer.status < 500) return answer;
      const said = `${asked.path} ${answer.status || answer.text}`;
      // What is away is said with 503.
      if (answer.status === 500) throw new Error(said);
      noteFailure(said, tookMs);
      await wait(200);
    }
  };
  const acknowledge = (form: Acknowledged, { status, location, text }: Answer) => {
    // Whoever is refused stays on the page of the form.
    if (status !== 302 || !location.startsWith("/account/"))
      throw new Error(`a form was answered with ${status} ${location} ${text.slice(0, 2_000)}`);
    load.acknowledged.push(form);
  };
  const visit = async (visitor: Visitor, agent: Agent) => {
    const { id: customerId, addressId, cookie } = visitor;
    const { status, text } = await untilAnswered(agent, { path: "/account", cookie });
    if (status !== 200) throw new Error(`a dashboard was answered with ${status}`);
    const scripts = text.match(scriptsOf) ?? [];
    const script = scripts[randomInt(scripts.length)] ?? "";
    const found = await untilAnswered(agent, { path: script, cookie });
    if (found.status !== 200) throw new Error(`${script} was answered with ${found.status}`);
    const key = randomUUID();
    const sats = BigInt(randomInt(70_000, 75_000));
    const fields = {
      intent: "request",
      coin: "BTC",
      requestKey: key,
      addressId,
      amount: `0.000${sats}`,
    };
    const body = new Blob([new URLSearchParams(fields).toString()], {
      type: "application/x-www-form-urlencoded",
    });
    const answer = await untilAnswered(agent, { path: "/account/withdraw", cookie, body });
    acknowledge({ what: "withdrawal", customerId, key, sats }, answer);
    visitor.forms += 1;
    if (visitor.forms % 4 !== 1 || visitor.forms > 4 * maxWaitingClaims) return;
    const slip = await slipForm();
    const took = await untilAnswered(agent, { path: "/account/deposit", cookie, body: slip.body });
    acknowledge({ what: "slip", customerId, key: slip.key, sats: 0n }, took);
  };
  const prices = setInterval(() => {
    setPrice(app).catch(() => {});
  }, 15_000);
  const all = Promise.all(
    Array.from({ length: atOnce }, async (_, person) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let nth = person; !isStopped; nth += atOnce) {
        const visitor = visitors[nth % visitors.length];
        if (visitor) await visit(visitor, agent);
        // As people do; it leaves connections idle at any moment.
        await wait(randomInt(400));
      }
      agent.destroy();
    }),
  );
  all.catch((error: Error) => load.faults.push(error.message));
  return Object.assign(load, {
    async stop() {
      isStopped = true;
      clearInterval(prices);
      await all.catch(() => {});
    },
  });
}

async function slipForm() {
  const key = randomUUID();
  const form = new FormData();
  const fields = { submissionKey: key, amount: "100.00", method: "Bitcoin" };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("slip", new Blob([new Uint8Array(await uniquePicture())]), "slip.png");
  // Written once: what is sent again is the same.
  const response = new Response(form);
  const type = response.headers.get("content-type") ?? "";
  return { key, body: new Blob([await response.arrayBuffer()], { type }) };
}

interface Asked {
  path: string;
  cookie: string;
  body?: Blob;
}
interface Answer {
  /** 0: no whole answer came, and `text` says what instead. */
  status: number;
  location: string;
  text: string;
}

async function ask(url: string, agent: Agent, { path, cookie, body }: Asked): Promise<Answer> {
  const bytes = body && Buffer.from(await body.arrayBuffer());
  return new Promise((resolve) => {
    const none = (error: NodeJS.ErrnoException) =>
      resolve({ status: 0, location: "", text: error.code ?? error.message });
    const headers = {
      cookie,
      accept: "text/html",
      ...(bytes && { origin: url, "content-type": body?.type, "content-length": bytes.length }),
    };
    const method = bytes ? "POST" : "GET";
    const asking = request(
      url + path,
      { agent, method, headers, timeout: patienceMs },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        answer.on("end", () => {
          const { statusCode: status = 0 } = answer;
          const isPage = answer.headers["content-type"]?.startsWith("text/html");
          const isWhole = status !== 200 || !isPage || text.trimEnd().endsWith("</html>");
          if (isWhole) resolve({ status, location: answer.headers.location ?? "", text });
          else none(new Error("half a page"));
        });
        answer.on("error", none);
      },
    );
    asking.on("timeout", () => asking.destroy(new Error("no answer")));
    asking.on("error", none);
    asking.end(bytes);
  });
}
