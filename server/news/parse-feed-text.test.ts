import { expect, test } from "vitest";
import { rss, rssItem } from "#tests/fakes/feed-server.ts";
import { within } from "#tests/setup/slowness.ts";
import { decodeText } from "./decode-text.ts";
import { parseFeed } from "./parse-feed.ts";
import { parseFeedText } from "./parse-feed-text.ts";
import { toPlainText } from "./to-plain-text.ts";

const now = new Date("2026-11-21T12:00:00Z");
const url = "https://news.example/feed.xml";
const parse = (text: string, timeoutMs?: number) => parseFeedText({ text, url, now }, timeoutMs);

test("reads RSS, Atom, RDF and JSON feeds alike", async () => {
  const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><id>f</id><updated>2026-11-20T10:00:00Z</updated>
    <entry><id>urn:1</id><title>Atom &amp; more</title><link href="/one"/><updated>2026-11-20T10:00:00Z</updated><summary type="html">&lt;p&gt;Words&lt;/p&gt;</summary></entry></feed>`;
  const rdf = `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>F</title></channel>
    <item rdf:about="y"><title>RDF</title><link>https://news.example/two</link><description>Words</description><dc:date>2026-11-20T10:00:00Z</dc:date></item></rdf:RDF>`;
  const json = JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: "F",
    items: [
      {
        id: "3",
        url: "https://news.example/three",
        title: "JSON",
        content_html: "<p>Words</p>",
        date_published: "2026-11-20T10:00:00Z",
      },
    ],
  });
  const plain = rss(
    rssItem({
      title: "RSS",
      link: "https://news.example/four",
      description: "<![CDATA[<p>Words</p>]]>",
      pubDate: "Fri, 20 Nov 2026 10:00:00 GMT",
    }),
  );
  const expected = [
    [atom, "Atom & more", "https://news.example/one"],
    [rdf, "RDF", "https://news.example/two"],
    [json, "JSON", "https://news.example/three"],
    [plain, "RSS", "https://news.example/four"],
  ];
  for (const [text = "", title, link] of expected) {
    const { items } = await parse(text);
    expect(items).toMatchObject([
      { title, url: link, summary: "Words", publishedAt: new Date("2026-11-20T10:00:00Z") },
    ]);
  }
});

test("scripts, markup and invisible signs do not come through: words do", () => {
  const typed =
    '<script>alert(1)</script><p onclick="x()">One</p><p>two &lt;b&gt; <img src=x onerror=alert(1)> AT&amp;T</p><style>p{}</style>\u202Eevil\u0000\u200B';
  const text = toPlainText(typed, 300);
  expect(text).toBe("One two <b> AT&T evil");
  expect(toPlainText("<svg><script>alert(1)</script></svg>ok", 300)).toBe("ok");
  expect(toPlainText("<<script>script>alert(1)<</script>/script>", 300)).not.toMatch(/<script/i);
  expect(toPlainText(`${"long words ".repeat(60)}`, 100)).toMatch(
    /^(?:long words )+(?:long )?.*…$/,
  );
  expect(toPlainText("😀".repeat(200), 101)).toMatch(/^(?:😀)+…$/u);
});

test("marks piled on a letter, and letters that cannot be seen, do not come through", () => {
  expect(toPlainText(`a${"\u0310\u0321".repeat(40)}b`, 200)).toHaveLength(6);
  expect(toPlainText("ก็ที่ নিরাপত্তা שָׁלוֹם 👩‍👩‍👧", 200)).toBe("ก็ที่ নিরাপত্তা שָׁלוֹם 👩‍👩‍👧");
  expect(toPlainText("\u3164\u2800\u061c\u00ad\uffa0", 200)).toBe("");
});

test("without dates the items keep the feed's order", async () => {
  const { items } = await parse(
    rss(rssItem({ title: "New", guid: "2" }), rssItem({ title: "Old", guid: "1" })),
  );
  const newestFirst = items.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime());
  expect(newestFirst.map(({ title }) => title)).toEqual(["New", "Old"]);
});

test("a link that is no web page of the internet takes its item away", async () => {
  const bad = [
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "https://user:secret@news.example/",
    "http://192.168.0.1/reboot",
    "http://[::1]/",
    "",
  ].map((link, index) => rssItem({ link, guid: `bad-${index}`, title: link || "none" }));
  const guidAsLink = `<item><title>By guid</title><guid>javascript:alert(2)</guid></item>`;
  const { items, skipped } = await parse(rss(...bad, guidAsLink, rssItem({})));
  expect(items.map((item) => item.url)).toEqual(["https://news.example/a"]);
  expect(skipped).toBe(9);
});

test.each([
  ["Fri, 31 Dec 2999 00:00:00 GMT", "in the future"],
  ["yesterday-ish", "no time"],
  ["Thu, 01 Jan 1970 00:00:00 GMT", "before feeds"],
  ["", "missing"],
])("the date %s (%s) becomes now at the latest", async (pubDate) => {
  const { items } = await parse(rss(rssItem({ pubDate })));
  expect(items[0]?.publishedAt).toEqual(now);
});

test("the same item twice is one; an item without a title is called by its first words", async () => {
  const twin = rssItem({ guid: "same", title: "First" });
  const words = `<item><link>https://news.example/b</link><description>Only words here.</description></item>`;
  const { items } = await parse(rss(twin, twin, words));
  expect(items.map(({ title }) => title)).toEqual(["First", "Only words here."]);
});

const laughs = Array.from(
  { length: 10 },
  (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`,
);
test.each([
  [
    "billion laughs",
    `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">${laughs.join("")}]><rss version="2.0"><channel><item><title>&l10;</title><link>https://a.example</link></item></channel></rss>`,
  ],
  [
    "a file of ours",
    `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><item><title>&e;</title><link>https://a.example</link></item></channel></rss>`,
  ],
  [
    "a document type with a subset of its own",
    `<!DOCTYPE rss SYSTEM "http://a.example/x.dtd" [ <!ELEMENT a ANY> ]><rss version="2.0"><channel/></rss>`,
  ],
])("entities are refused: %s", async (_name, text) => {
  await expect(parse(text)).rejects.toMatchObject({ reason: "entities-refused" });
});

test("an entity that nobody declared stays as it was typed", async () => {
  const { items } = await parse(rss(rssItem({ title: "&unknown; &#x41;" })));
  expect(items[0]?.title).toBe("&unknown; A");
});

test.each([
  ["nothing", ""],
  ["a web page", "<!doctype html><html><body>Hello</body></html>"],
  ["half a feed", "<rss version='2.0'><channel><item><title>x"],
  ["JSON that is no feed", '{"items": 3}'],
  [
    "JSON that lies",
    '{"version":"https://jsonfeed.org/version/1.1","items":[{"id":{"a":1},"url":["x"],"title":{"b":2}}]}',
  ],
  ["noise", "\u0000\u0001".repeat(1000)],
])("what is no feed does no harm: %s", async (_name, text) => {
  const found = await parse(text).catch((error) => error);
  const isHarmless = found.reason === "not-a-feed" || found.items.length === 0;
  expect(isHarmless).toBe(true);
});

test("what is nested too deep ends its own thread, not the product", async () => {
  const deep = `<rss version="2.0"><channel>${"<a>".repeat(600_000)}`;
  const found = await parse(deep).catch((error) => error);
  expect(found.reason ?? found.items.length).toSatisfy(
    (value) => value === "not-a-feed" || value === 0,
  );
});

test("a reading that takes too long is ended", async () => {
  const started = performance.now();
  await expect(parse(rss(rssItem({})), 1)).rejects.toMatchObject({ reason: "not-a-feed" });
  expect(performance.now() - started).toBeLessThan(within(3_000));
});

test("no more items than wanted are read", () => {
  const many = Array.from({ length: 500 }, (_, i) =>
    rssItem({ guid: `g${i}`, link: `https://news.example/${i}` }),
  );
  const found = parseFeed({ text: rss(...many), url, now, maxItems: 50 });
  expect("items" in found && found.items).toHaveLength(50);
});

const latin = Buffer.from(
  "<?xml version='1.0' encoding='ISO-8859-1'?><t>Z\u00fcrich \u00a3</t>",
  "latin1",
);
test.each([
  ["by its declaration", latin, "text/xml", "Zürich £"],
  [
    "by the header",
    Buffer.from("<t>Z\u00fcrich</t>", "latin1"),
    "text/xml; charset=windows-1252",
    "Zürich",
  ],
  [
    "by its mark",
    Buffer.from("\ufeff<t>Zürich</t>", "utf16le"),
    "text/xml; charset=utf-8",
    "Zürich",
  ],
  ["as UTF-8 else", Buffer.from("<t>Zürich</t>"), "", "Zürich"],
  [
    "as UTF-8 where the name is nobody's",
    Buffer.from("<t>Zürich</t>"),
    "text/xml; charset=klingon",
    "Zürich",
  ],
])("text is decoded %s", (_name, bytes, contentType, expected) => {
  expect(decodeText(bytes, contentType)).toContain(expected);
});

test("a wrong encoding spoils letters and nothing else", () => {
  const text = decodeText(Buffer.from("<t>Z\u00fcrich</t>", "latin1"), "text/xml; charset=utf-8");
  expect(text).toBe("<t>Z\ufffdrich</t>");
});
