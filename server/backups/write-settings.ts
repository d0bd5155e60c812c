/** Settings as lines of an `.env`, as Node reads it: nothing in quotation marks of one kind means anything but itself. */
export function writeSettings(settings: Record<string, string>): string {
  return Object.entries(settings).map(writeSetting).join("");
}

function writeSetting([name, value]: [string, string]): string {
  // Between double ones \n is a new line.
  const mark = ["'", "`", '"'].find((each) => !value.includes(each));
  if (!mark || (mark === '"' && value.includes("\\n"))) {
    return `# ${name} has every kind of quotation mark: it is in the backup's keys.json alone.\n`;
  }
  return `${name}=${mark}${value}${mark}\n`;
}
