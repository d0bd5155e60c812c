import { confirmFields, type ResumedForm, resumedFile } from "#core/resumed-form.ts";

/** Together with their texts they must pass the limit that forms with resumed files have: server/web.ts. */
const resumedBytesMax = 256 * 1024;

const passwordFields = ["password", "current", "confirmPassword"];

/** Takes a form apart, so that a page can carry it. What showed who sends it is not resumed along. */
export async function resumeForm(request: Request, form: FormData): Promise<ResumedForm> {
  const own: string[] = Object.values(confirmFields);
  const texts = [...form].filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && !own.includes(entry[0]),
  );
  const isPassword = ([name]: [string, string]) => passwordFields.includes(name);
  const { files, tooLarge } = await resumeFiles(form);
  const action = pageOf(request.url);
  return {
    action: files.length > 0 ? withFiles(action) : action,
    fields: texts.filter((entry) => !isPassword(entry)),
    passwords: texts.filter(isPassword).map(([name]) => name),
    files,
    tooLarge,
  };
}

async function resumeFiles(form: FormData): Promise<Pick<ResumedForm, "files" | "tooLarge">> {
  const resumed: Pick<ResumedForm, "files" | "tooLarge"> = { files: [], tooLarge: [] };
  let bytes = 0;
  for (const [field, file] of form) {
    // A file field that was left empty is sent as a file without a name.
    if (typeof file === "string" || (file.size === 0 && file.name === "")) continue;
    bytes += file.size;
    if (bytes > resumedBytesMax) resumed.tooLarge.push({ field, name: file.name });
    else resumed.files.push(await takeApart(field, file));
  }
  return resumed;
}

async function takeApart(field: string, file: File) {
  const base64 = Buffer.from(await file.arrayBuffer()).toString("base64");
  return { field, name: file.name, type: file.type, base64 };
}

/** The page's own address, also of a form that a script has sent as data. */
function pageOf(address: string): string {
  const { pathname, searchParams } = new URL(address);
  searchParams.delete("_routes");
  searchParams.delete(resumedFile);
  const path = pathname.replace(/\/_\.data$/, "/").replace(/\.data$/, "");
  return searchParams.size > 0 ? `${path}?${searchParams}` : path;
}

function withFiles(action: string): string {
  return `${action}${action.includes("?") ? "&" : "?"}${resumedFile}=1`;
}
