/** Saves a file that was made here, under this name. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the file by the time this task ends.
  setTimeout(() => URL.revokeObjectURL(url));
}
