/** Gives the browser a file to keep. */
export function saved(name: string, kind: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type: kind }));
  const link = document.createElement("a");
  link.href = address;
  link.download =
    name
      .replace(/[\\/:*?"<>|\n\r\t]+/g, " ")
      .trim()
      .slice(0, 120) || "file";
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
