import { isIP } from "node:net";
import {
  type AnyFeed,
  type AtomFeed,
  type JsonFeed,
  parseFeed as parseAnyFeed,
  type RdfFeed,
  type RssFeed,
} from "feedsmith";
import type { FeedItem, RawItem } from "./news.ts";
import { isPublicAddress } from "./public-address.ts";
import { toPlainText } from "./to-plain-text.ts";

export type ParsedFeed =
  | { items: FeedItem[]; skipped: number }
  | { failure: "not-a-feed" | "entities-refused" };

interface Reading {
  text: string;
  /** Where the feed stood: its links are relative to it. */
  url: string;
  now: Date;
  maxItems: number;
}

/**
 * Makes items that may be shown out of a feed's text: plain words, a link to a web page, a time that is not
 * in the future. Items without those are left out and counted. Belongs into a thread of its own.
 */
export function parseFeed({ text, url, now, maxItems }: Reading): ParsedFeed {
  if (declaresEntities(text)) return { failure: "entities-refused" };
  const raw = readRaw(text, maxItems);
  if (!raw) return { failure: "not-a-feed" };
  const items = new Map<string, FeedItem>();
  for (const [place, each] of raw.entries()) {
    const item = asItem(each, url, new Date(now.getTime() - place));
    if (item && !items.has(item.key)) items.set(item.key, item);
  }
  return { items: [...items.values()], skipped: raw.length - items.size };
}

/** Feeds need no entities of their own; documents that have them are meant to explode, or to read files. */
function declaresEntities(text: string): boolean {
  const root = text.search(/<[A-Za-z]/);
  const prolog = root < 0 ? text.slice(0, 10_000) : text.slice(0, root);
  return /<!ENTITY|<!DOCTYPE[^>[]*\[/i.test(prolog);
}

function readRaw(text: string, maxItems: number): RawItem[] | null {
  try {
    return rawItems(parseAnyFeed(text, { maxItems }));
  } catch {
    return null;
  }
}

function rawItems(parsed: AnyFeed): RawItem[] {
  if (parsed.format === "atom") return (parsed.feed.entries ?? []).map(fromAtom);
  if (parsed.format === "json") return (parsed.feed.items ?? []).map(fromJson);
  return (parsed.feed.items ?? []).map(fromRss);
}

function fromAtom(entry: AtomFeed.Entry<string>): RawItem {
  const links = entry.links ?? [];
  const link = links.find(({ rel }) => !rel || rel === "alternate") ?? links[0];
  return {
    id: word(entry.id),
    title: word(entry.title?.value),
    link: word(link?.href),
    summary: word(entry.summary?.value) || word(entry.content?.value),
    date: word(entry.published) || word(entry.updated),
  };
}

function fromJson(item: JsonFeed.Item<string>): RawItem {
  return {
    id: word(item.id),
    title: word(item.title),
    link: word(item.url) || word(item.external_url),
    summary: word(item.summary) || word(item.content_text) || word(item.content_html),
    date: word(item.date_published) || word(item.date_modified),
  };
}

function fromRss(item: RssFeed.Item<string> | RdfFeed.Item<string>): RawItem {
  const guid = "guid" in item ? item.guid : undefined;
  const isLink = guid?.isPermaLink !== false && /^https?:/i.test(word(guid?.value));
  const date = "pubDate" in item ? word(item.pubDate) : "";
  return {
    id: word(guid?.value),
    title: word(item.title),
    link: word(item.link) || (isLink ? word(guid?.value) : ""),
    summary: word(item.description) || word(item.content?.encoded),
    date: date || word(item.dc?.dates?.[0]),
  };
}

/** Whatever stands where a text should be: a liar's JSON may hold anything. */
function word(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** `seenAt` lies a moment earlier for each item: without dates of their own they keep the feed's order. */
function asItem(raw: RawItem, feedUrl: string, seenAt: Date): FeedItem | null {
  const url = webAddress(raw.link, feedUrl);
  const summary = toPlainText(raw.summary, 300);
  const title = toPlainText(raw.title, 200) || toPlainText(summary, 90);
  if (!url || title === "") return null;
  return { key: raw.id || url, title, url, summary, publishedAt: momentOf(raw.date, seenAt) };
}

/** What feeds add to an address to know where a reader comes from: two feeds would make two pages of one by it. */
const tracks = /^(utm_\w+|fbclid|gclid|mc_cid|mc_eid)$/i;

/**
 * Only web pages: no javascript, data or file address, no credentials, nothing in the reader's own network, and nothing
 * that tracks who follows the link.
 */
function webAddress(link: string, feedUrl: string): string | null {
  if (link.trim() === "" || !URL.canParse(link.trim(), feedUrl)) return null;
  const url = new URL(link.trim(), feedUrl);
  const isWeb = (url.protocol === "https:" || url.protocol === "http:") && url.username === "";
  if (leadsHome(url) && url.hostname !== new URL(feedUrl).hostname) return null;
  // An anchor is a place on the page; in some applications it is the page.
  if (!/^#[!/]/.test(url.hash)) url.hash = "";
  for (const name of [...url.searchParams.keys()])
    if (tracks.test(name)) url.searchParams.delete(name);
  return isWeb && url.href.length <= 2000 ? url.href : null;
}

/** To a machine in the reader's own network, by its number: his router, say. */
function leadsHome({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) !== 0 && !isPublicAddress(host);
}

/** What lies in the future, or is no time, has happened when it was seen. */
function momentOf(date: string, seenAt: Date): Date {
  const at = new Date(date);
  const isPast = !Number.isNaN(at.getTime()) && at <= seenAt && at.getUTCFullYear() >= 1990;
  return isPast ? at : seenAt;
}
