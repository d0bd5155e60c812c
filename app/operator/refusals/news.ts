import { notFound, type Texts } from "#app/run-act.ts";

export const news: Texts = {
  "news/no-such-source": notFound,
  "news/name-missing": { field: "name", text: "Write the name shown with its news" },
  "news/not-https": { field: "url", text: "Only addresses that begin with https://" },
  "news/address-not-allowed": {
    field: "url",
    text: "This leads to a private or local network, which is never read",
  },
  "news/not-an-address": {
    field: "url",
    text: "Write an address, for instance https://example.com/feed",
  },
  "news/source-exists": { field: "url", text: "Another source has this address" },
  "news/source-disabled": {
    text: "This feed is switched off, so it was not read. Switch it on first.",
    status: 409,
  },
  "news/changed-meanwhile": {
    text: "A colleague changed this feed while you wrote. Yours is still here: save again to put it on top.",
    status: 409,
  },
};
