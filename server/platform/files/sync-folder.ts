import { open } from "node:fs/promises";

/** What a folder lists, a new name or a rename, survives a power cut only after this. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
