/** Makes the browser save a file with the person's downloads. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun by then; revoking the URL frees the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
