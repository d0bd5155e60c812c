import { constants, inflateSync } from "node:zlib";
import { Refusal } from "#core/refusal.ts";

/** What the packed object lists of a PDF may unpack to. They hold text: real ones stay below a megabyte. */
const maxUnpackedBytes = 16 * 1024 * 1024;

/** What the dictionaries before streams may add up to. Only a file that repeats beginnings to wear us out has more. */
const maxDictionaryBytes = 16 * 1024 * 1024;

/**
 * Names of things that act when a PDF is opened or clicked: the actions of ISO 32000-2, 12.6.4, but for a place in the same
 * file and a web address, which a reader shows before it goes there. Long enough that chance does not write them into a
 * compressed picture, so they are looked for everywhere.
 */
const activeAnywhere =
  /\/(?:JavaScript|Launch|EmbeddedFiles?|XFA|RichMedia(?:Execute)?|ImportData|SubmitForm|ResetForm|GoToE|GoToR|GoToDp|GoTo3DView|Rendition|Movie|Sound|Thread|Named|Hide|SetOCGState)(?![A-Za-z0-9])/;

/** Short names, looked for outside packed data only. */
const activeInText = /\/(?:JS|AA)(?![A-Za-z0-9])/;

/** Opening at a page and a zoom (`/OpenAction [3 0 R /FitH null]`) is a place, not an action. */
const opensWithAction = /\/OpenAction(?![A-Za-z0-9])(?!\s*\[)/;

/**
 * Checks that a file is one whole PDF in which nothing acts.
 *
 * Refuses with files/damaged, files/active-content, files/encrypted (its inside cannot be checked) and
 * files/too-large-inside.
 */
export function checkPdf(bytes: Uint8Array): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (!text.startsWith("%PDF-") || !/%%EOF[\s\0]*$/.test(text.slice(-1024))) {
    throw new Refusal("files/damaged");
  }
  const { outside, objectLists } = split(text);
  const names = plainNames([outside, ...objectLists].join("\n"));
  if (/\/Encrypt(?![A-Za-z0-9])/.test(names)) throw new Refusal("files/encrypted");
  const acts =
    activeAnywhere.test(plainNames(text)) ||
    activeAnywhere.test(names) ||
    activeInText.test(names) ||
    opensWithAction.test(names);
  if (acts) throw new Refusal("files/active-content");
}

/**
 * Separates what is written in the open from packed data, and unpacks the lists of objects among it.
 * A stream may pretend to begin inside another, to hide there: each beginning is looked at.
 */
function split(text: string): { outside: string; objectLists: string[] } {
  const outside: string[] = [];
  const objectLists: string[] = [];
  let seen = 0;
  let room = maxUnpackedBytes;
  for (const { keyword, begin, end, isOutermost, listedBy } of streams(text)) {
    if (listedBy !== null) {
      const list = unpack(listedBy, text.slice(begin, end), room);
      room -= list.length;
      objectLists.push(list);
    }
    if (!isOutermost) continue;
    outside.push(text.slice(seen, keyword));
    seen = end;
  }
  outside.push(text.slice(seen));
  return { outside: outside.join("\n"), objectLists };
}

/**
 * Each stream's keyword, where its content begins and ends, and, of a list of objects, the dictionary. One pass: a hostile
 * file repeats them a million times.
 */
function* streams(text: string) {
  let start = 0;
  let end = 0;
  let dictionaryRoom = maxDictionaryBytes;
  for (const { index: keyword, 0: word, 1: isWritten } of text.matchAll(beginnings)) {
    const isInside = keyword < end;
    // All since the stream before: what is nearest may only pretend to be where the object begins.
    const before = isInside ? start : end;
    dictionaryRoom = whatIsLeft(dictionaryRoom, keyword - before);
    const listedBy = findList(text.slice(before, keyword));
    if (!isWritten && listedBy === null) continue;
    const begin = keyword + word.length;
    const until = isInside ? end : getEnd(text, begin);
    const isOutermost = !isInside && isWritten !== undefined;
    if (isOutermost) [start, end] = [before, until];
    yield { keyword, begin, end: until, isOutermost, listedBy };
  }
}

function whatIsLeft(room: number, taken: number): number {
  if (taken > room) throw new Refusal("files/too-large-inside");
  return room - taken;
}

/** The dictionary of a list of objects, or null when there is none in what stands before a stream. */
function findList(before: string): string | null {
  const dictionary = plainNames(before);
  return /\/ObjStm(?![A-Za-z0-9])/.test(dictionary) ? dictionary : null;
}

function getEnd(text: string, begin: number): number {
  const end = text.indexOf("endstream", begin);
  if (end < 0) throw new Refusal("files/damaged");
  return end;
}

/** Where a stream begins: as it is to be written (then 1 is there), or as readers take it all the same. */
const beginnings = /\bstream(?:(\r?\n)|[\0\t\f\r ][\0\s]*)/g;

/** Every producer packs these lists with Flate alone, or not at all. Anything else hides something. */
function unpack(dictionary: string, packed: string, room: number): string {
  const list = inflate(dictionary, packed, room);
  // The numbers of its objects come first: what was packed twice, or as differences, has none.
  if (!/^\s*\d+\s+\d+\s/.test(list)) throw new Refusal("files/active-content");
  return list;
}

function inflate(dictionary: string, packed: string, room: number): string {
  if (!/\/Filter(?![A-Za-z0-9])/.test(dictionary)) {
    if (packed.length > room) throw new Refusal("files/too-large-inside");
    return packed;
  }
  const flateAlone = /\/Filter\s*(?:\[\s*)?\/FlateDecode\s*[\]/>]/.test(dictionary);
  if (!flateAlone) throw new Refusal("files/active-content");
  try {
    const options = { maxOutputLength: Math.max(room, 1), finishFlush: constants.Z_SYNC_FLUSH };
    return inflateSync(Buffer.from(packed, "latin1"), options).toString("latin1");
  } catch (error) {
    const full = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw new Refusal(full ? "files/too-large-inside" : "files/damaged");
  }
}

/** Names may be spelled with hexadecimal digits: /J#61vaScript is /JavaScript. One pass over bytes: a file may hold millions. */
function plainNames(text: string): string {
  if (!text.includes("#")) return text;
  const bytes = Buffer.from(text, "latin1");
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const value =
      bytes[at] === hash ? hexDigit(bytes[at + 1]) * 16 + hexDigit(bytes[at + 2]) : Number.NaN;
    if (!Number.isNaN(value)) at += 2;
    bytes[length] = Number.isNaN(value) ? (bytes[at] ?? 0) : value;
    length += 1;
  }
  return bytes.toString("latin1", 0, length);
}

const hash = 0x23;

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}
