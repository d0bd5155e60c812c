import { statSync } from "node:fs";
import type { ServerBuild } from "react-router";
import { afterAll, describe, expect, test } from "vitest";
import { flash } from "#app/ui/toasts/flash.ts";
import { createTestCustomer, testSite } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { startTcpProxy, type TcpProxy } from "#tests/fakes/tcp-proxy.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { builtPages } from "../scripts/built-pages.ts";
import { type CachedPages, openCachedPages } from "./cached-pages.ts";
import { agreeToTestimonial } from "./content/agree-to-testimonial.ts";
import { findOwnTestimonial } from "./content/find-own-testimonial.ts";
import { inviteTestimonial } from "./content/invite-testimonial.ts";
import { publishTestimonial } from "./content/publish-testimonial.ts";
import { Busy } from "./platform/busy.ts";
import { openRoutes } from "./web.ts";

let line: TcpProxy | undefined;
const product = await testApp({}, async (url) => {
  const target = new URL(url);
  line = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
  target.host = `127.0.0.1:${line.port}`;
  return target.href;
});
const { request, db } = product;
afterAll(async () => {
  await line?.stop();
});

const etagOf = async (path: string) => (await request(path)).headers.get("etag");
const policyOf = (answer: Response) => answer.headers.get("content-security-policy") ?? "";

describe("a page that everybody is shown alike", () => {
  test("is kept, without a nonce, and has its styles in it", async () => {
    const answer = await request("/about");
    expect(answer.headers.get("etag")).toMatch(/^W\//);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(policyOf(answer)).not.toContain("nonce");
    expect(policyOf(answer)).toMatch(/script-src 'self'(?: 'sha256-[^']+'){4};/);
    const html = await answer.text();
    expect(html).not.toContain("nonce=");
    expect(html).not.toContain('rel="stylesheet"');
  });

  test("carries what every answer carries", async () => {
    const { headers } = await request("/about");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(policyOf(await request("/about"))).toContain("frame-ancestors 'none'");
  });

  test("has a request id of its own in every answer", async () => {
    const [one, other] = [await request("/about"), await request("/about")];
    expect(one.headers.get("x-request-id")).not.toBe(other.headers.get("x-request-id"));
  });

  test.each(["/about?x=1", "/about?utm_source=a&y=2", "/ABOUT", "/about/"])(
    "is the same at %s",
    async (path) => {
      expect(await etagOf(path)).toBe(await etagOf("/about"));
    },
  );

  test("differs by the parameters that it knows, and by no other", async () => {
    const [terms, privacy] = [await etagOf("/terms"), await etagOf("/terms?tab=privacy")];
    expect(privacy).not.toBe(terms);
    expect(await etagOf("/terms?x=1&tab=privacy&tab=cookies")).toBe(privacy);
  });

  test("does not get to see what its address does not stand for", async () => {
    const html = await (await request("/about?smuggled=%3Cscript%3E")).text();
    expect(html).not.toContain("smuggled");
  });
});

describe("searches of the questions", () => {
  const fieldOf = (html: string) => /<input\b[^>]*\sname="q"[^>]*>/.exec(html)?.[0] ?? "";
  const typedIn = (html: string) => / value="([^"]*)"/.exec(fieldOf(html))?.[1];
  const read = async (words: string) =>
    (await request(`/faq?${new URLSearchParams({ q: words })}`)).text();

  test("that find the same share one page, each with its own words in the field", async () => {
    const [first, other] = [await read("zzqa"), await read("  Zzqb zzqc ")];
    expect(typedIn(first)).toBe("zzqa");
    expect(typedIn(other)).toBe("Zzqb zzqc");
    expect(other.replace("Zzqb zzqc", "zzqa")).toBe(first);
    expect(other).toContain("No results. Try other words, or write to us.");
  });

  test("that find different things do not", async () => {
    const [fee, whole] = [await read("fee"), await read("withdraw")];
    expect(typedIn(fee)).toBe("fee");
    expect(whole.replace('value="withdraw"', 'value="fee"')).not.toBe(fee);
  });

  test("show what was typed as text, whatever it is", async () => {
    await read("zzqa");
    const typed = `"><script>alert('&amp;$1$&')</script>`;
    const html = await read(typed);
    expect(html).not.toContain("<script>alert");
    expect(typedIn(html)).toBe(
      "&#34;&#62;&#60;script&#62;alert(&#39;&#38;amp;$1$&#38;&#39;)&#60;/script&#62;",
    );
  });
});

test("what one process is told of a change, the page caches of all others know", async () => {
  const build = (await builtPages()).build as ServerBuild;
  const html = async () =>
    new Response("<p>A page</p>", { headers: { "content-type": "text/html" } });
  const [one, other] = [1, 2].map(() => openCachedPages(product.app, build, html));
  if (!one || !other) throw new Error("two were opened");
  other.follow();
  const about = { method: "GET", address: "/about", requestId: "", cookie: undefined };
  const asked = { ...about, acceptEncoding: undefined, ifNoneMatch: undefined };
  const isFresh = async () => {
    await other.answer(asked);
    return other.answerAtOnce(asked) !== null;
  };
  await expect.poll(isFresh).toBe(true);
  await one.expire();
  await expect.poll(() => other.answerAtOnce(asked)).toBeNull();
  await other.stop();
});

describe("not kept is", () => {
  test("a page that says something to this reader alone", async () => {
    const answer = await request("/about", {
      cookie: (await flash("signed-out")).split(";")[0] ?? "",
    });
    expect(answer.headers.get("etag")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.getSetCookie().join()).toMatch(/flash=.*Max-Age=0/);
    expect(await answer.text()).toContain("Successfully signed out");
    expect(await (await request("/about")).text()).not.toContain("Successfully signed out");
  });

  test.each([
    "/nowhere",
    "/login",
    "/signup",
    "/account",
    "/operator",
    "/newsletter/confirm?token=x",
  ])("%s", async (path) => {
    const answer = await request(path);
    expect(answer.headers.get("etag")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
  });
});

test("public pages, and errors among them, bring no script of React's", async () => {
  for (const path of ["/", "/about", "/faq", "/terms", "/nowhere"]) {
    const html = await (await request(path)).text();
    expect(html, path).toMatch(/<script type="module"[^>]*>[^<]*\["\/assets\/site-[\w-]+\.js"\]/);
    // Asked for when the page has been drawn: no browser may find it earlier.
    expect(html, path).not.toMatch(/<(?:script|link)[^>]* (?:src|href)="[^"]+\.js"/);
    expect(html, path).not.toContain("__reactRouter");
    expect(html, path).not.toContain("entry.client");
  }
});

test("words that a customer takes back are gone from the page that is asked for next", async () => {
  const [customer, grace, now] = [
    await createTestCustomer(db),
    await createTestOperator(db),
    new Date(),
  ];
  const asked = { customerId: customer.id, invitation: "", site: testSite };
  const { testimonialId } = await inviteTestimonial(db, grace, asked, now);
  const words = "I checked three days against the pool's own page, and they matched.";
  const wanted = { words, nameForm: "first-and-initial", role: "", image: "none" } as const;
  await agreeToTestimonial(db, customer, wanted, now);
  const consentId = (await findOwnTestimonial(db, customer.id))?.consentId ?? "";
  await publishTestimonial(db, grace, { testimonialId, consentId }, now);
  await expect.poll(async () => (await request("/")).text()).toContain("three days");
  const cookie = await signInAs(product, customer);
  await request("/account/testimonial", { form: { intent: "revoke" }, cookie });
  expect(await (await request("/")).text()).not.toContain("three days");
});

test("all script that the first page loads at once is less than 15 kB, style none", async () => {
  const html = await (await request("/")).text();
  const files = [...html.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(
    ([, src]) => `build/client${src}.br`,
  );
  expect(files.length).toBeGreaterThan(0);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeLessThan(15_000);
});

describe("while the database is away", () => {
  test("pages that were shown before are shown, as they were", async () => {
    const before = await (await request("/")).text();
    line?.set("cut");
    try {
      const answer = await request("/");
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe(before);
    } finally {
      line?.set("open");
    }
  });
});

describe("addresses that somebody made up", async () => {
  const build = (await builtPages()).build as ServerBuild;
  const asked = (address: string) => ({
    method: "GET",
    address,
    requestId: "",
    cookie: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
  });
  const html = (status: number) =>
    new Response("<p>A page</p>", { status, headers: { "content-type": "text/html" } });

  test("are rendered two at a time; those that find no room are refused, searches too", async () => {
    let ends: Array<() => void> = [];
    let rendered = 0;
    const kept = openCachedPages(product.app, build, () => {
      rendered += 1;
      return new Promise((resolve) => ends.push(() => resolve(html(200))));
    });
    const answers = Promise.allSettled(
      Array.from({ length: 510 }, (_, n) => kept.answer(asked(`/calculator?quantity=${n}`))),
    );
    expect(rendered).toBe(2);
    await expect.poll(async () => (await request("/faq?q=zzqb")).status).toBe(200);
    await expect(kept.answer(asked("/faq?q=zzqa"))).rejects.toBeInstanceOf(Busy);
    while (ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(ends.length).toBeLessThanOrEqual(2);
    }
    ends = [];
    const refused = (await answers).filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(8);
    expect(rendered).toBe(502);
  });

  test("that are no page are rendered once, and the reader gets that", async () => {
    let rendered = 0;
    const kept = openCachedPages(product.app, build, async () => {
      rendered += 1;
      return html(404);
    });
    const answer = await kept.answer(asked("/terms?version=made-up"));
    expect(answer?.status).toBe(404);
    expect(answer?.body?.toString()).toContain("A page");
    expect(answer?.headers).toMatchObject({ "cache-control": "private, no-store" });
    expect(answer?.headers["etag"]).toBeUndefined();
    expect(rendered).toBe(1);
    const real = await request("/terms?version=made-up");
    expect(real.status).toBe(404);
    expect(await real.text()).toContain("Ohh!!");
  });

  test("that find no room are told when to come back, and nothing is rendered for them", async () => {
    let rendered = 0;
    const renderPage = async () => {
      rendered += 1;
      return html(200);
    };
    const full = { answer: () => Promise.reject(new Busy(5)) } as unknown as CachedPages;
    const site = { renderPage, patternOf: () => "/", kept: full };
    const routes = openRoutes(product.app, { build }, undefined, site);
    const answer = await routes.request(`${product.app.config.appUrl}/calculator?quantity=7`, {
      headers: { accept: "text/html" },
    });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(await answer.text()).toContain("Not available right now");
    expect(rendered).toBe(0);
  });
});
