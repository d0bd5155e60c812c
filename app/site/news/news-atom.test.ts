import { parseFeed } from "feedsmith";
import { expect, test } from "vitest";
import { atomFeed } from "./news-atom.ts";

const site = { siteName: 'A & "B" <C>', appUrl: "https://mining.example.com" };
const now = new Date("2026-11-21T12:00:00Z");
const announcement = {
  id: "019a0000-0000-7000-8000-000000000001",
  slug: "hello",
  title: "Less < more & \u0000 ]]>",
  text: "One **two** <script>alert(1)</script>\n\n- [three](/terms)",
  publishedAt: new Date("2026-11-20T10:00:00Z"),
  updatedAt: new Date("2026-11-20T11:00:00Z"),
  pinned: false,
};

test("is read by a parser as it was meant, whatever stands in the words", () => {
  const parsed = parseFeed(atomFeed(site, [announcement], now));
  expect(parsed).toMatchObject({
    format: "atom",
    feed: {
      id: "https://mining.example.com/news.atom",
      title: { value: 'A & "B" <C>: news' },
      updated: "2026-11-20T11:00:00.000Z",
      entries: [
        {
          id: "urn:uuid:019a0000-0000-7000-8000-000000000001",
          title: { value: "Less < more &  ]]>" },
          published: "2026-11-20T10:00:00.000Z",
          updated: "2026-11-20T11:00:00.000Z",
          content: {
            type: "html",
            value:
              '<p>One <strong>two</strong> &lt;script&gt;alert(1)&lt;/script&gt;</p><ul><li><a href="https://mining.example.com/terms">three</a></li></ul>',
          },
        },
      ],
    },
  });
});

test("a feed without entries is a feed all the same", () => {
  const parsed = parseFeed(atomFeed(site, [], now));
  expect(parsed).toMatchObject({ format: "atom", feed: { updated: now.toISOString() } });
});
