import { connect } from "node:net";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { flash } from "#app/ui/toasts/flash.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { cookiesOf, testApp } from "#tests/setup/test-app.ts";
import { builtPages } from "../scripts/built-pages.ts";
import { hashToken } from "./identity/registration/issue-link.ts";
import { noteOpened } from "./identity/step-up/opened-lately.ts";
import { limitAnonymousRequests } from "./limit-anonymous-requests.ts";
import { openRoutes, startWeb } from "./web.ts";

const product = await testApp();
const { app } = product;
const customer = await createTestCustomer(app.db);
const cookie = await signInAs(product, customer);
const knownBrowser = cookie.split("; ").find((each) => each.includes("known_device")) ?? "";

let networks = 0;
/** An address in a network that nobody else asks from. */
function anyNetwork(): string {
  networks += 1;
  return `10.${(networks >> 8) & 255}.${networks & 255}.1`;
}

/** Pages that are made when the test says so. */
function openSlowSite() {
  const ends: Array<() => void> = [];
  const begun: string[] = [];
  const gate = limitAnonymousRequests(app.auth);
  return {
    begun,
    ask(
      path: string,
      cookies = "",
      wanted: { method?: string; from?: string; signal?: AbortSignal } = {},
    ): Promise<Response> {
      const { method = "GET", from = anyNetwork(), signal = null } = wanted;
      const headers = { cookie: cookies };
      const request = new Request(`http://site${path}`, { method, headers, signal });
      return gate(request, from, () => {
        begun.push(path);
        return new Promise((resolve) => ends.push(() => resolve(new Response(path))));
      });
    },
    /** Ends what is under way until nothing more begins. */
    async finish() {
      while (ends.length > 0) {
        for (const end of ends.splice(0)) end();
        for (let turn = 0; turn < 4; turn += 1) await new Promise((go) => setImmediate(go));
      }
    },
  };
}

let site = openSlowSite();
beforeEach(() => {
  site = openSlowSite();
});

describe("of pages for strangers", () => {
  test("two are made at a time, 200 wait, and what comes then is refused", async () => {
    const asked = Array.from({ length: 210 }, (_, n) => site.ask(`/${n}`));
    const outcomes = Promise.allSettled(asked);
    expect(site.begun).toEqual(["/0", "/1"]);
    await site.finish();
    const refused = (await outcomes).filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(8);
    expect(site.begun).toHaveLength(202);
  });

  test("those with a made-up session wait like all others", async () => {
    const fakes = Array.from({ length: 5 }, (_, n) =>
      site.ask(`/${n}`, `assay.session_token=made-up-${n}`),
    );
    expect(site.begun).toHaveLength(2);
    await site.finish();
    await Promise.all(fakes);
  });

  test("those of browsers in which somebody has signed in go first", async () => {
    const asked = ["/a", "/b", "/c"].map((path) => site.ask(path));
    asked.push(site.ask("/known", knownBrowser));
    asked.push(site.ask("/forged", knownBrowser.replace(/.$/, "x").replace(/=./, "=x")));
    await site.finish();
    await Promise.all(asked);
    expect(site.begun).toEqual(["/a", "/b", "/known", "/c", "/forged"]);
  });

  test("one network or one known browser takes a share of the room, and nobody's line stands still", async () => {
    const flood = Array.from({ length: 100 }, (_, n) =>
      site.ask(`/flood/${n}`, "", { from: "192.0.2.7" }),
    );
    const eve = Array.from({ length: 50 }, (_, n) => site.ask(`/eve/${n}`, knownBrowser));
    const outcomes = Promise.allSettled([...flood, ...eve]);
    const ada = site.ask("/ada");
    await site.finish();
    await ada;
    const answered = (await outcomes).filter(({ status }) => status === "fulfilled");
    // Two at once, fifty of the network, four of the browser.
    expect(answered).toHaveLength(56);
    expect(site.begun.indexOf("/flood/2")).toBeLessThan(site.begun.indexOf("/eve/3"));
  });

  test("whoever goes away leaves the line, and nothing is made for nobody", async () => {
    const asked = ["/a", "/b"].map((path) => site.ask(path));
    const away = new AbortController();
    const gone = Array.from({ length: 200 }, (_, n) =>
      site.ask(`/gone/${n}`, "", { signal: away.signal }),
    );
    const outcomes = Promise.allSettled(gone);
    away.abort();
    const next = site.ask("/next");
    await site.finish();
    await Promise.all([...asked, outcomes, next]);
    expect(site.begun).toEqual(["/a", "/b", "/next"]);
  });

  test("none delays a page for a session that is open", async () => {
    const asked = Array.from({ length: 100 }, (_, n) => site.ask(`/${n}`));
    const own = site.ask("/account/dashboard", cookie);
    expect(site.begun).toEqual(["/0", "/1", "/account/dashboard"]);
    await site.finish();
    await Promise.all([...asked, own]);
  });

  test("a form does not wait for pages, nor pages for forms", async () => {
    const asked = ["/a", "/b", "/c"].map((path) => site.ask(path));
    const forms = Array.from({ length: 50 }, () => site.ask("/login", "", { method: "POST" }));
    expect(site.begun).toHaveLength(52);
    await site.finish();
    await Promise.all([...asked, ...forms]);
  });
});

describe("a session", () => {
  const [, token = ""] = /session_token=([^;]+)/.exec(cookie) ?? [];
  const isPast = () => {
    const other = openSlowSite();
    const asked = ["/a", "/b", "/c"].map((path) => other.ask(path, cookie));
    const begun = other.begun.length;
    return other
      .finish()
      .then(() => Promise.all(asked))
      .then(() => begun === 3);
  };

  test("that this process has not heard of passes once it has opened a page", async () => {
    noteOpened(hashToken(token), false);
    expect(await isPast()).toBe(false);
    expect((await product.request("/account/dashboard", { cookie })).status).toBe(200);
    expect(await isPast()).toBe(true);
  });

  test("that its owner ends waits like a stranger's", async () => {
    const left = await product.request("/signout", { form: {}, cookie });
    expect(cookiesOf(left)).toContain("session_token=");
    expect(await isPast()).toBe(false);
  });
});

describe("the site", () => {
  /** How many pages were made at once, at most, of those that were asked for together. */
  async function crowd(addresses: string[], cookies = "", accept = "text/html") {
    let running = 0;
    let most = 0;
    const renderPage = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      return new Response("<p>A page</p>", { headers: { "content-type": "text/html" } });
    };
    const routes = openRoutes(app, await builtPages(), undefined, {
      renderPage,
      patternOf: () => "/",
      kept: null,
    });
    const socket = { incoming: { socket: { remoteAddress: "192.0.2.1" } } };
    const answers = await Promise.all(
      addresses.map((address) =>
        routes.request(
          app.config.appUrl + address,
          { headers: { cookie: cookies, accept } },
          socket,
        ),
      ),
    );
    return { answers, most };
  }

  test.each([
    ["made-up pages", (n: number) => `/n${n}`],
    ["the sign-in page", (n: number) => `/login?next=/${n}`],
    ["made-up receipts", (n: number) => `/receipt/made-up-${n}`],
    ["data of public pages", (n: number) => `/calculator.data?quantity=${n}`],
  ])(
    "makes two at a time of %s, and says when to come back to those it has no room for",
    async (_, address) => {
      const { answers, most } = await crowd(Array.from({ length: 220 }, (_, n) => address(n)));
      expect(most).toBe(2);
      const refused = answers.filter(({ status }) => status === 503);
      // All from one network, which has fifty places.
      expect(refused).toHaveLength(168);
      for (const answer of refused) {
        expect(answer.headers.get("retry-after")).toBe("5");
        expect(answer.headers.get("cache-control")).toContain("no-store");
        expect(await answer.text()).toContain("Not available right now");
      }
    },
  );

  test("makes two at a time of pages that a made-up flash asks for, too", async () => {
    const flashed = (await flash("signed-out")).split(";")[0] ?? "";
    expect((await crowd(["/", "/", "/", "/"], flashed)).most).toBe(2);
  });

  test("tells a script in a word", async () => {
    const { answers } = await crowd(
      Array.from({ length: 210 }, (_, n) => `/n${n}`),
      "",
      "*/*",
    );
    expect(await answers.at(-1)?.text()).toBe("This cannot be done now.\n");
  });
});

describe("on one connection", async () => {
  const web = await startWeb({ ...app, config: { ...app.config, port: 0 } }, await builtPages());
  afterAll(() => web.stop());

  test("streams of prices behind each other are one, and gone when it is closed", async () => {
    const streams = (count: number) =>
      "GET /events/prices HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".repeat(count);
    for (let round = 0; round < 3; round += 1) {
      const socket = connect(web.port, "127.0.0.1");
      socket.write(streams(70));
      await new Promise((resolve) => socket.once("data", resolve));
      socket.destroy();
    }
    const abort = new AbortController();
    const { status } = await fetch(`http://127.0.0.1:${web.port}/events/prices`, abort);
    expect(status).toBe(200);
    abort.abort();
  });
});
