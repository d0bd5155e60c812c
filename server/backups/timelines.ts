import path from "node:path";
import { text } from "node:stream/consumers";
import type { BackupFolder } from "./backup-folder.ts";
import { type KeptBackup, listHistories } from "./backup-names.ts";

/** Segments have 16 MiB. */
const segmentBits = 24n;

/** A segment by its number, whatever its timeline. */
export function segmentNumberOf(segment: string): bigint {
  const place = segment.slice(8, 24);
  return (BigInt(`0x${place.slice(0, 8)}`) << (32n - segmentBits)) | BigInt(`0x${place.slice(8)}`);
}

/** The end of a segment's name, which all timelines share. */
export function segmentSuffixOf(number: bigint): string {
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, "0");
  return hex(number >> (32n - segmentBits)) + hex(number & ((1n << (32n - segmentBits)) - 1n));
}

function timelineOf(segment: string): number {
  return Number.parseInt(segment.slice(0, 8), 16);
}

/**
 * The line of history that is in force: after each restore PostgreSQL counts a new timeline, which leaves the one before at a place.
 * What the others wrote after that place was undone.
 */
export interface TimelineHistory {
  newest: number;
  /** The segment in which a timeline was left, by its number; of the newest there is none. */
  leftAt: Map<number, bigint>;
}

export async function readTimelineHistory(
  folder: BackupFolder,
  backups: KeptBackup[],
): Promise<TimelineHistory> {
  const last = (await listHistories(folder)).at(-1);
  if (last) {
    // A later one has all that earlier ones say.
    const newest = timelineOf(path.basename(last));
    return { newest, leftAt: parseHistory(await text(folder.read(last))) };
  }
  const newest = Math.max(...backups.map(({ startWal }) => timelineOf(startWal)));
  return { newest, leftAt: new Map() };
}

/** Lines of a timeline's number, where it was left, and why: `1	0/5000110	before 2026-11-30 …`. */
function parseHistory(history: string): Map<number, bigint> {
  const leftAt = new Map<number, bigint>();
  for (const [, timeline, high, low] of history.matchAll(/^(\d+)\s+([0-9A-F]+)\/([0-9A-F]+)/gim)) {
    const position = (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
    leftAt.set(Number(timeline), position >> segmentBits);
  }
  return leftAt;
}

/** Whether all of a backup happened on the line. In the segment in which the line left its timeline it may be later or not. */
export function isBackupInHistory(
  { newest, leftAt }: TimelineHistory,
  { startWal, endWal }: KeptBackup,
): boolean {
  const timeline = timelineOf(startWal);
  const left = leftAt.get(timeline);
  return timeline === newest || (left !== undefined && segmentNumberOf(endWal) < left);
}

/** Whether a segment is of the line. In the segment where a timeline is left, both it and the next one may be. */
export function isSegmentInHistory({ newest, leftAt }: TimelineHistory, segment: string): boolean {
  const timeline = timelineOf(segment);
  const left = leftAt.get(timeline);
  if (timeline === newest) return segmentNumberOf(segment) >= begunAt(leftAt, newest);
  return (
    left !== undefined &&
    segmentNumberOf(segment) <= left &&
    segmentNumberOf(segment) >= begunAt(leftAt, timeline)
  );
}

/** A timeline begins where the one before it was left. */
function begunAt(leftAt: Map<number, bigint>, timeline: number): bigint {
  const before = [...leftAt.keys()].filter((each) => each < timeline);
  return leftAt.get(Math.max(...before)) ?? 0n;
}
