import { isUuid } from "#core/is-uuid.ts";
import { readAddress } from "#core/payments/withdrawal-address.ts";
import { isDay } from "#core/utc-day.ts";

/** What a text in the search can be meant as, by its shape. */
export interface Wish {
  id: string | null;
  /** In the spellings of both chains. */
  txids: string[];
  addresses: string[];
  /** Of a message: "4F7K-29QX". */
  reference: string | null;
  email: string | null;
  /** Of an act in the audit log. */
  position: number | null;
  day: string | null;
  /** Parts of names and e-mails. Shorter ones have no index: they only narrow what longer ones find. */
  words: string[];
}

const txid = /^(?:0x)?([0-9a-f]{64})$/i;
const address = /^(?:(?:bc|tb|bcrt)1[a-z0-9]{10,90}|[13mn2][1-9a-hj-np-z]{24,35}|0x[0-9a-f]{40})$/i;
const reference = /^[0-9a-z]{4}-[0-9a-z]{4}$/i;
const email = /^[^\s@]+@[^\s@]+$/;
const position = /^#?([1-9][0-9]{0,14})$/;

/** What PostgreSQL finds by its trigrams: "%%%" has none, and would be looked for in every row. */
const trigram = /[\p{L}\p{N}]{3}/u;

export function readWish(typed: string): Wish {
  const text = typed.trim();
  const hex = txid.exec(text)?.[1]?.toLowerCase();
  const place = position.exec(text)?.[1];
  const words = text.split(/\s+/).filter(Boolean).slice(0, 8);
  const isExact = isUuid(text) || hex !== undefined || address.test(text);
  return {
    id: isUuid(text) ? text.toLowerCase() : null,
    txids: hex ? [hex, `0x${hex}`] : [],
    addresses: address.test(text) ? spellings(text) : [],
    reference: reference.test(text) ? text.toUpperCase() : null,
    email: email.test(text) ? text.toLowerCase() : null,
    position: place ? Number(place) : null,
    day: isDay(text) ? text : null,
    words: !isExact && words.some((word) => trigram.test(word)) ? words : [],
  };
}

function spellings(text: string): string[] {
  return [...new Set([readAddress(text, "BTC"), readAddress(text, "ETH")])];
}
