import { resumedFile } from "#core/resumed-form.ts";

/** Whether a form comes from a page that has carried its files as text: the page's own address says so. */
export function hasResumedFiles(request: Request): boolean {
  return request.method === "POST" && new URL(request.url).searchParams.has(resumedFile);
}

/** Gives a form the files back that a page has carried for it, so that its action reads them as it always does. */
export async function restoreFormFiles(request: Request): Promise<Request> {
  const form = await request
    .clone()
    .formData()
    .catch(() => null);
  // No form: its page says so, as it does of any.
  if (!form) return request;
  const texts = form.getAll(resumedFile);
  form.delete(resumedFile);
  for (const text of texts) {
    const file = readFile(text);
    if (file) form.append(file.field, new File([file.bytes], file.name, { type: file.type }));
  }
  const headers = new Headers(request.headers);
  headers.delete("content-type");
  headers.delete("content-length");
  return new Request(request.url, { method: "POST", headers, body: form });
}

/** Null for what no page of ours has written. */
function readFile(text: FormDataEntryValue) {
  try {
    const { field, name, type, base64 } = JSON.parse(String(text));
    if (![field, name, type, base64].every((part) => typeof part === "string")) return null;
    return { field, name, type, bytes: Buffer.from(base64, "base64") };
  } catch {
    return null;
  }
}
